"""Reads the scripts of a `package.json`. Knows that file's form, nothing of Node."""

import posixpath
import re

from burstctl.lint.compose import read_yaml
from burstctl.lint.document import Mapping, Scalar, Unreadable
from burstctl.lint.follow.place import find_file
from burstctl.lint.job import Script
from burstctl.lint.load import Scene
from burstctl.lint.shell.model import Command
from burstctl.lint.value import expand

_VALUED = ("--prefix", "-C", "--cwd", "--dir", "-w", "--workspace", "--filter")
_OWN = frozenset(
    {"install", "ci", "add", "remove", "exec", "dlx", "audit", "publish", "version", "init", "config", "i", "x"}
)


def read_package(scene: Scene, command: Command) -> tuple[Script, str, dict[str, str], str] | None:
    """Give the script that `npm run`, `yarn` and their kin name."""
    words = [word.text for word in command.arguments]
    folder, plain, previous = "", [], ""
    for word in words:
        if word == "--":
            break
        if previous in _VALUED[:4]:
            folder = expand(word, scene)
        elif not word.startswith("-") and previous not in _VALUED:
            plain.append(word)
        previous = word
    if plain[:1] and plain[0] in ("run", "run-script"):
        plain = plain[1:]
    elif not plain or plain[0] in _OWN or (command.name == "npm" and plain[0] not in ("test", "start", "t")):
        return None
    file = find_file(scene, posixpath.join(folder, "package.json")) if plain else None
    if file is None:
        return None
    try:
        roots = read_yaml(file).roots
    except Unreadable:
        return None
    scripts = roots[0].get("scripts") if roots and isinstance(roots[0], Mapping) else None
    script = scripts.get(plain[0]) if isinstance(scripts, Mapping) else None
    if not isinstance(script, Scalar) or not re.search(r"\S", script.text):
        return None
    return Script.of((script,), "package"), f"{file.path}:{plain[0]}", {}, file.path.rpartition("/")[0]
