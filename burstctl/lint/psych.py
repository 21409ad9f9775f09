"""Reads an unquoted YAML scalar as Ruby's Psych does, hence as GitLab does. Knows no documents.

Rules of psych 4 and 5, `lib/psych/scalar_scanner.rb`: YAML 1.1 with commas in numbers, base 60 and symbols.
"""

import math
import re

from burstctl.pattern import pattern

Plain = str | int | float | bool | None

_WORD = pattern(r"[^\d.:-]?[^\W\d_]|[^\d.:-]?[_\s!@#$%^&*(){}<>|/\\~;=]")
_WORDS: dict[str, bool | None] = {
    "~": None,
    "null": None,
    **dict.fromkeys(("yes", "true", "on"), True),
    **dict.fromkeys(("no", "false", "off"), False),
}
_QUOTED_SYMBOL = pattern(r":([\"'])(.*)\1")
_BASE_60 = pattern(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9]){1,2}(?P<fraction>\.[0-9_]*)?")
_LEADING_INTEGER = pattern(r"[-+]?\d+(?:_\d+)*")
_LEADING_FLOAT = pattern(r"[-+]?\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?")
"""As far as Ruby reads digits: up to an underscore that stands at the end, behind another one or behind the point."""
_FLOAT = pattern(r"[-+]?([0-9][0-9_,]*)?\.[0-9]*([eE][-+][0-9]+)?")
_INTEGER = pattern(
    r"(?P<sign>[-+]?)(?:0b(?P<two>[01_,]+)|0(?P<eight>[0-7_,]+)|(?P<ten>0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)"
    r"|0x(?P<sixteen>[0-9a-fA-F_,]+))"
)
_BASES = {"two": 2, "eight": 8, "ten": 10, "sixteen": 16}
_LONGEST = 300
"""Longer digits are nobody's number, and cost quadratic time to read."""


def resolve(text: str) -> Plain:
    """Give the value of an unquoted scalar; times and dates stay text."""
    if not text:
        return None
    if _WORD.match(text) or "\n" in text:
        return _WORDS.get(text.lower(), text) if len(text) <= 5 else text
    if text[0] == ":" and len(text) > 1:
        symbol = _QUOTED_SYMBOL.match(text)
        return symbol[2].removeprefix(":") if symbol else text[1:]
    lower = text.lower()
    if lower in (".inf", "+.inf", "-.inf"):
        return -math.inf if lower[0] == "-" else math.inf
    if lower == ".nan":
        return math.nan
    return _number(text) if len(text) <= _LONGEST else text


def _number(text: str) -> Plain:
    if match := _BASE_60.fullmatch(text):
        return _base_60(text.split(":"), float if match["fraction"] is not None else int)
    try:
        if _FLOAT.fullmatch(text) and text.lstrip("+-") != ".":
            return float(re.sub(r"[,_]", "", text))
        if match := _INTEGER.fullmatch(text):
            base = next(base for base in _BASES if match[base] is not None)
            digits = re.sub(r"[,_]", "", match[base])
            return int(match["sign"] + (digits or "0" * (base == "eight")), _BASES[base])
    except ValueError:  # `0b_` looks like a number and is none
        pass
    return text


def _base_60(parts: list[str], kind: type[int] | type[float]) -> int | float:
    """Add hours, minutes and, if there are three parts, seconds: other readers take a pair for minutes and seconds."""
    pattern = _LEADING_FLOAT if kind is float else _LEADING_INTEGER
    total = kind(0)
    for place, part in enumerate(parts):
        leading = pattern.match(part)
        total += kind(leading[0].replace("_", "")) * 60 ** (2 - place) if leading else 0
    return total


def to_text(value: Plain) -> str:
    """Write a scalar as GitLab passes it to a job's environment."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(value)
