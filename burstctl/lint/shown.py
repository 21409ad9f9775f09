"""Makes text of a file that anybody may have written fit to be shown: inert, and without secrets. Knows no format."""

import re
from collections.abc import Iterable

from burstctl.pattern import pattern
from burstctl.secret import MASK, is_secret_name
from burstctl.source import mask_user_info

_LOG_COMMAND = pattern(r"##(?=\w*\[)")
"""Azure, TeamCity and older GitHub runners obey `##vso[…]` anywhere in a line."""
_LONGEST = 400
_SHORTEST = 4
"""Shorter values occur by chance in any text."""

_VALUE = pattern(r""""[^"]*"?|'[^']*'?|[^\s"'&|;]+""")
_ASSIGNED = pattern(r"""(?P<name>[\w-]+)["']?\s*[=:]\s*""")
_OPTION = pattern(r"(?<!\S)--?(?P<name>[\w-]+)\s+(?!-)")
_SCHEME = pattern(r"\b(?P<scheme>bearer|basic|token)\s+(?P<value>[^\s\"']+)", re.IGNORECASE)
_SCHEMES = ("bearer", "basic", "token")
_USER = pattern(r"(?P<option>(?:^|\s)(?:-u|--user|--proxy-user|-U)[\s=]*)(?P<value>\"[^\"]*\"?|'[^']*'?|\S+)")
_SHAPES = pattern(
    r"\b(?:glpat-|gldt-|glrt-|gh[pousr]_|github_pat_|sk-|xox[abprs]-|hf_|dckr_pat_|npm_|pypi-)[\w-]{8,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{12,}|\beyJ[\w-]{8,}\.[\w.-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----.*"
)
_EXPANSION = pattern(r"""["']?\$\w+["']?|["']?\$\{[\w:?+=-]+\}["']?|["']?\$\{\{[^}]*\}\}["']?""")


def visible(text: str) -> str:
    """Write a text in one line of printable characters that no log reader takes for a command of its own."""
    if not text.isprintable():
        text = "".join(one if one.isprintable() else _escape(one) for one in text)
    if text.startswith("::"):
        text = f"\\x3a{text[1:]}"
    return _LOG_COMMAND.sub(r"#\\x23", text)


def plain(text: str, secrets: Iterable[str] = ()) -> str:
    """Make a message fit to be shown; `secrets` are values that must not stand in it."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    text = visible(mask(text) if "@" in text or "-" in text or "=" in text else text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def mask(line: str) -> str:
    """Mask what looks like a credential in a line of shell or YAML; variables that hold one may be shown."""
    line = _SHAPES.sub(MASK, mask_user_info(line))
    line = _USER.sub(_mask_user, line)
    line = _SCHEME.sub(lambda match: match[0] if _names(match["value"]) else f"{match['scheme']} {MASK}", line)
    return _mask_named(_OPTION, _mask_named(_ASSIGNED, line))


def is_secret_value(name: str, value: str | None) -> bool:
    """Tell whether a variable's value must not be shown."""
    return value is not None and len(value) >= _SHORTEST and is_secret_name(name) and not _names(value)


def _mask_named(pattern: re.Pattern[str], line: str) -> str:
    """Mask the values that follow a telling name."""
    pieces, done = [], 0
    for match in pattern.finditer(line):
        value = _VALUE.match(line, match.end())
        if match.start() < done or value is None or not is_secret_name(match["name"]) or _names(value[0]):
            continue
        if value[0].lower() not in _SCHEMES:
            pieces += [line[done : match.end()], MASK]
            done = value.end()
    return "".join([*pieces, line[done:]])


def _mask_user(match: re.Match[str]) -> str:
    return match[0] if _names(match["value"]) or ":" not in match["value"] else match["option"] + MASK


def _names(value: str) -> bool:
    """Tell whether a value is but the name of a variable."""
    return _EXPANSION.fullmatch(value) is not None


def _escape(character: str) -> str:
    code = ord(character)
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
