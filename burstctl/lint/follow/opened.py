"""Opens what a command names: shell scripts, Makefile targets, package scripts, files the script has written itself."""

import re
from collections.abc import Callable, Sequence

from burstctl.light import replace
from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.follow.make import read_make
from burstctl.lint.follow.package import read_package
from burstctl.lint.follow.place import find_file, written
from burstctl.lint.job import Script
from burstctl.lint.load import Scene
from burstctl.lint.shell.model import Command, Shell
from burstctl.lint.value import expand, is_known
from burstctl.pattern import pattern

SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "source", "."})
_SCRIPT = pattern(r"(\$\([^()]*\)/)?[^\s]*\.(sh|bash|zsh)|(\$\([^()]*\)/)?\.{0,2}/?[\w${}.@%+-]+(/[\w${}().@%+ -]+)+")
_SHEBANG = pattern(r"#!\s*(?:\S*/)?(?:env\s+(?:-S\s+)?)?(?P<program>\w+)")
MAX_DEPTH = 6

Parse = Callable[[str], Shell]


def open_scripts(scene: Scene, command: Command, parse: Parse) -> Sequence[Scene]:
    """Give the scripts that a command runs, as scenes of their own; none for what can't be followed."""
    if len(scene.names) >= MAX_DEPTH:
        return ()
    name = command.name
    if name in ("make", "gmake") or name.endswith("MAKE}"):
        return _opened(scene, command, read_make(scene, command), parse)
    if name in ("npm", "yarn", "pnpm", "bun"):
        return _opened(scene, command, read_package(scene, command), parse)
    path = script_path(command)
    if path is None:
        return ()
    if (found := written(scene, path)) is not None:
        owner, word = found
        text = owner.script.text
        masked = _blank(text[: word.start]) + text[word.start : word.end] + _blank(text[word.end :])
        return _opened(scene, command, (replace(owner.script, text=masked), f"written:{path}", {}, owner.folder), parse)
    file = find_file(scene, path)
    if file is None or not is_shell(file):
        return ()
    return _opened(scene, command, (whole(file), file.path, _arguments(scene, command), _folder(file)), parse)


def script_path(command: Command) -> str | None:
    """Give the file that a command runs as a script; None if it is no such command."""
    first = command.argv[0].text if command.argv else ""
    if command.name in SHELLS:
        return next((word.text for word in command.arguments if not word.text.startswith(("-", "+"))), None)
    return first if _SCRIPT.fullmatch(first) and not first.startswith(("/usr/", "/bin/", "/opt/", "http")) else None


def is_shell(file: File) -> bool:
    """Tell whether a file is a shell script, by its first line, or its name where it has no such line."""
    match = _SHEBANG.match(file.text)
    if match is not None:
        return match["program"] in SHELLS
    name = file.path.rpartition("/")[2]
    return "." not in name or name.endswith((".sh", ".bash", ".zsh", ".env"))


def whole(file: File) -> Script:
    """Make a script of a whole file."""
    return Script.of((Scalar(Span(file, 0, len(file.text)), file.text, file.text),), "file")


Found = tuple[Script, str, dict[str, str], str]
"""A script, its name, what is given to it, its folder."""


def _opened(scene: Scene, command: Command, found: Found | None, parse: Parse) -> Sequence[Scene]:
    if found is None or found[1] in scene.names:
        return ()
    script, name, given, folder = found
    outer = {key: value for key, value in scene.given.items() if not key.isdigit()}
    own = {key: expand(word.text, scene) for key, word in command.environment.items()}
    return (
        replace(
            scene,
            script=script,
            shell=parse(script.text),
            callers=(*scene.callers, (scene, command)),
            given={**outer, **{key: value for key, value in own.items() if is_known(value)}, **given},
            folder=folder,
            names=(*scene.names, name),
        ),
    )


def _arguments(scene: Scene, command: Command) -> dict[str, str]:
    words = list(command.argv)
    if command.name in SHELLS:
        words = words[
            next(place for place, word in enumerate(words) if place and not word.text.startswith(("-", "+"))) :
        ]
    values = [expand(word.text, scene) for word in words[1:]]
    return {str(place): value for place, value in enumerate(values, 1) if is_known(value)}


def _folder(file: File) -> str:
    return file.path.rpartition("/")[0]


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
