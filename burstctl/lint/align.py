"""Finds, for each character of a YAML scalar's value, where it stands in the file. Knows how scalars are written."""

from collections.abc import Sequence

from burstctl.pattern import pattern

_PROPERTIES = pattern(r"(?:[!&]\S*\s+)*")
_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


def after_properties(raw: str, start: int) -> int:
    """Skip a value's anchor and tag."""
    match = _PROPERTIES.match(raw, start)
    return match.end() if match else start


def align(value: str, raw: str, start: int, style: str) -> Sequence[int]:
    """Map each index of `value`, and its length, to an index of `raw`, where the scalar of this style starts.

    Exact for all characters but blanks that folding or indentation has moved; those point close by.
    """
    at = after_properties(raw, start)
    if style in ("|", ">"):
        at = raw.find("\n", at) + 1
    elif style:
        at += 1
    indices: list[int] = []
    for character in value:
        if not character.isspace():
            at = _skip_blanks(raw, at, style)
        if at >= len(raw):
            break
        indices.append(at)
        if style == '"' and raw[at] == "\\":
            at += _ESCAPE_LENGTHS.get(raw[at + 1 : at + 2], 2)
        elif style == "'" and character == "'":
            at += 2
        elif raw[at] == character or (character.isspace() and raw[at].isspace()):
            at += 1
        elif not character.isspace():  # written in a way that this doesn't know: better the start than a wrong place
            return [start] * (len(value) + 1)
    return indices + [min(at, len(raw))] * (len(value) + 1 - len(indices))


def _skip_blanks(raw: str, at: int, style: str) -> int:
    while at < len(raw):
        if raw[at].isspace():
            at += 1
        elif style == '"' and raw.startswith(("\\\n", "\\\r"), at):
            at += 2
        else:
            break
    return at
