"""Hides `$[[ … ]]` from the YAML parser, since GitLab puts values in before it parses. Knows no inputs."""

import re

_SHIFT = 0xE000
"""Into the private use area, one for one, so that no place in the file moves."""
_EXPRESSION = r"\$\[\[[^\[\]\n]*(?:\[\d+\][^\[\]\n]*)*\]\]"
_HEADER = r"(?m)^[\"']?spec[\"']?\s*:"
_MASK = {code: code + _SHIFT for code in range(0x80)}
_UNMASK = {masked: code for code, masked in _MASK.items()}
_SIGN = chr(ord("$") + _SHIFT)


def masked(text: str) -> str:
    """Hide all expressions of a text that may have a header; brackets would be lists, and colons keys."""
    if "$[[" not in text or not re.search(_HEADER, text):
        return text
    return re.sub(_EXPRESSION, lambda match: match[0].translate(_MASK), text)


def is_masked(text: str) -> bool:
    """Tell whether a text holds hidden expressions."""
    return _SIGN in text


def unmasked(text: str) -> str:
    """Give a text as it is written."""
    return text.translate(_UNMASK) if _SIGN in text else text
