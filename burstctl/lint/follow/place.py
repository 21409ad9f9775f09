"""Finds the file that a command names, from where the command runs. Knows paths, not what files hold."""

import posixpath

from burstctl.lint.file import File
from burstctl.lint.load import Scene
from burstctl.lint.project import Refused
from burstctl.lint.shell.model import Word
from burstctl.lint.value import expand
from burstctl.pattern import pattern

_ROOTS = pattern(
    r"""\$\{?(CI_PROJECT_DIR|GITHUB_WORKSPACE|PWD|BITBUCKET_CLONE_DIR|BUILD_SOURCESDIRECTORY|WORKSPACE|"""
    r"""CIRCLE_WORKING_DIRECTORY|SYSTEM_DEFAULTWORKINGDIRECTORY|BUILDKITE_BUILD_CHECKOUT_PATH)\}?/|"""
    r"""\$\(pwd\)/|\$\(git rev-parse[^)]*\)/"""
)
_OWN_FOLDER = pattern(
    r"""\$\(\s*dirname\s[^)]*\)/|\$\{?(?:SCRIPT_?DIR|DIR|HERE|BASE_?DIR|ROOT(?:_?DIR)?|THIS_?DIR)\}?/"""
)
_LONGEST = 500


def find_file(scene: Scene, path: str) -> File | None:
    """Give a file by the path that a script names it by; None where it can't be told or read."""
    path = expand(path.strip("\"'"), scene)
    path = _ROOTS.sub("/", path, count=1) if _ROOTS.match(path) else path
    own = bool(_OWN_FOLDER.match(path))
    path = _OWN_FOLDER.sub("", path, count=1) if own else path
    if not path or "$" in path or "`" in path or len(path) > _LONGEST or path.startswith("-"):
        return None
    for folder in _folders(scene, own=own or not path.startswith("/")):
        try:
            file = scene.project.read(posixpath.join(folder, path.lstrip("/")))
        except Refused:
            return None
        if file is not None:
            return file
    return None


def written(scene: Scene, path: str) -> "tuple[Scene, Word] | None":
    """Give the text that the script itself has written into a file, and where."""
    plain = expand(path, scene).removeprefix("./")
    for one, _ in ((scene, None), *reversed(scene.callers)):
        word = one.shell.written.get(plain)
        if word is not None:
            return one, word
    return None


def _folders(scene: Scene, *, own: bool) -> list[str]:
    """Give the folders that a path may start from: where the script has changed to, the root, the script's own."""
    folders = [folder for folder in (_changed_to(scene), scene.script.folder, "") if folder is not None]
    for one, command in reversed(scene.callers):
        if (folder := _changed_to(one, before=command.start)) is not None:
            folders.append(folder)
    if own and scene.folder:
        folders.append(scene.folder)
    return list(dict.fromkeys(folders))


def _changed_to(scene: Scene, before: int | None = None) -> str | None:
    """Follow `cd` through a script; None where it goes somewhere unknown."""
    folder: str | None = None
    for command in scene.shell.commands:
        if before is not None and command.start >= before:
            break
        if command.name in ("cd", "pushd") and len(command.argv) > 1:
            target = expand(command.argv[1].text, scene)
            target = _ROOTS.sub("/", target + "/", count=1).rstrip("/")
            if "$" in target:
                continue
            folder = (
                target.lstrip("/")
                if target.startswith("/")
                else posixpath.normpath(posixpath.join(folder or "", target))
            )
    return None if folder is None or folder.startswith("..") else folder
