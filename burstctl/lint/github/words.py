"""Small words of workflows: shells, paths of the project, groups. Knows no YAML."""

import posixpath
import re

from burstctl.pattern import pattern

_BASH_KIN = frozenset({"bash", "sh", "dash", "zsh", "ksh", "ash"})
_FOR_EACH_RUN = pattern(r"github_(ref|sha|run_|head_ref|event|actor)")


def shell_of(name: str | None, *, windows: bool) -> str:
    """Give the program that reads a step's script: `bash -e {0}` is as good as sh."""
    if not name or not name.strip() or "${{" in name:
        return "pwsh" if windows and not name else "sh"
    words = name.split()
    program = words[0].rpartition("/")[2].removesuffix(".exe")
    if program in _BASH_KIN or any(word.rpartition("/")[2] in _BASH_KIN for word in words[1:]):
        return "sh"
    return "pwsh" if program == "powershell" else re.sub(r"^python[\d.]*$", "python", program)


def is_own(uses: str) -> bool:
    """Tell whether a step or job uses something of the project itself."""
    return uses.startswith(("./", ".\\"))


def normal_folder(path: str | None) -> str:
    """Give a path below the project's root; empty for the root, and for what isn't known."""
    text = (path or "").replace("$GITHUB_WORKSPACE", ".").replace("\\", "/")
    if "$" in text:
        return ""
    normal = posixpath.normpath(text.lstrip("/") or ".")
    return "" if normal == "." or normal.startswith("..") else normal


def differs_by_run(group: str) -> bool:
    """Tell whether two runs of a workflow may have different groups of this name."""
    return bool(_FOR_EACH_RUN.search(group))
