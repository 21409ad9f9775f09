"""Which files Git ignores, by the `.gitignore` files of a project. Knows patterns, not what the files are for."""

import os
import re
from collections.abc import Sequence

from burstctl.light import light
from burstctl.pattern import pattern

_LARGEST = 1024 * 1024
_PIECE = pattern(
    r"(?P<any>/\*\*/)|(?P<head>^\*\*/)|(?P<tail>/\*\*$)|(?P<star>\*+)|(?P<one>\?)|(?P<set>\[[^\]]+\])|\\(?P<plain>.)"
)


@light
class Pattern:
    """One line of a `.gitignore`."""

    folder: str
    """Where it stands, below the root; empty: the root itself."""
    regex: re.Pattern[str]
    negated: bool
    folders_only: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Tell whether the line is about this path below the root."""
        below = path[len(self.folder) + 1 :] if self.folder else path
        return (is_folder or not self.folders_only) and self.regex.fullmatch(below) is not None


def read_patterns(root: str | os.PathLike[str], folder: str) -> list[Pattern]:
    """Read the `.gitignore` of one folder, and for the root what Git keeps for this copy alone."""
    places = [os.path.join(root, folder, ".gitignore")]
    if not folder:
        places.insert(0, os.path.join(root, ".git", "info", "exclude"))
    return [pattern for place in places for line in _lines(place) if (pattern := _pattern(line, folder))]


def is_ignored(path: str, patterns: Sequence[Pattern], *, is_folder: bool) -> bool:
    """Tell whether Git ignores a path: the last line that is about it decides."""
    deciding = (one for one in reversed(patterns) if one.matches(path, is_folder=is_folder))
    return not next((one.negated for one in deciding), True)


def _lines(place: str) -> list[str]:
    try:
        if not os.path.isfile(place) or os.stat(place).st_size > _LARGEST:
            return []
        with open(place, encoding="utf-8-sig", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


def _pattern(line: str, folder: str) -> Pattern | None:
    text = line if line.endswith("\\ ") else line.rstrip()
    negated = text.startswith("!")
    text = text[1:] if negated else text
    if not text or text.startswith("#"):
        return None
    folders_only = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.lstrip("/")
    expression = ("" if anchored else "(?:.*/)?") + _translate(text)
    try:
        return Pattern(folder, re.compile(expression, re.DOTALL), negated, folders_only)
    except re.error:  # a set such as [z-a] matches nothing
        return None


def _translate(text: str) -> str:
    """Turn a pattern into a regular expression."""
    done, expression = 0, ""
    for match in _PIECE.finditer(text):
        expression += re.escape(text[done : match.start()]) + _piece(match)
        done = match.end()
    return expression + re.escape(text[done:])


def _piece(match: re.Match[str]) -> str:
    match match.lastgroup:
        case "any":
            return "/(?:.*/)?"
        case "head":
            return "(?:.*/)?"
        case "tail":
            return "/.*"
        case "star":
            return "[^/]*"
        case "one":
            return "[^/]"
        case "set":
            inner = match[0][1:-1].replace("\\", "\\\\")
            return f"[^/{inner[1:]}]" if inner[0] in "!^" else f"[{inner}]"
        case _:
            return re.escape(match["plain"])
