"""Reads unquoted YAML scalars by the core schema of YAML 1.2, as most CI systems do. Knows no documents."""

import math
import re

from burstctl.lint.psych import Plain

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_BASES = {"0o": 8, "0x": 16}
_LONGEST = 300
"""Longer digits are nobody's number, and cost quadratic time to read."""


def resolve(text: str) -> Plain:
    """Give the value of an unquoted scalar: `on` is a text here, and 0300 is three hundred."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > _LONGEST or text[0] not in "+-.0123456789":
        return text
    if re.fullmatch(r"[-+]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"0o[0-7]+|0x[0-9a-fA-F]+", text):
        return int(text[2:], _BASES[text[:2]])
    if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
        number = float(text)
        return int(number) if number.is_integer() and abs(number) < 1e15 else number
    if re.fullmatch(r"[-+]?\.(inf|Inf|INF)", text):
        return -math.inf if text[0] == "-" else math.inf
    return text
