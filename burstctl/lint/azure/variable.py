"""Azure's `variables` on every level, and its macros `$(rate)`. Knows no job."""

import re
from collections.abc import Mapping as AbstractMapping

from burstctl.light import replace
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import variable_of
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, mappings_of, scalar_of
from burstctl.pattern import pattern

_MACRO = pattern(r"\$\((?P<name>[A-Za-z_][\w.-]*)\)")
_RUNTIME = pattern(r"\$\[.*\]", re.DOTALL)


def environment_name(name: str) -> str:
    """Give the name under which a script finds a variable in its environment."""
    return re.sub(r"[.\s-]", "_", name).upper()


def variables_of(value: Value | None, level: str) -> dict[str, Variable]:
    """Read variables, listed or by name; those of a group aren't here."""
    found: dict[str, Variable] = {}
    if isinstance(value, Mapping):
        for entry in entries_of(value):
            if isinstance(entry.value, Scalar):
                _enter(found, entry.key, entry.value, level)
    else:
        for one in mappings_of(value):
            key, given = scalar_of(one.get("name")), one.get("value")
            if key is not None and isinstance(given, Scalar):
                _enter(found, replace(key, value=key.text), given, level)
            elif isinstance(given, Mapping | None) and key is None and not {"group", "template"} & set(one.entries):
                found |= variables_of(one, level)
    return found


def _enter(found: dict[str, Variable], key: Scalar, value: Scalar, level: str) -> None:
    name = environment_name(key.text)
    scalar = replace(value, unknown=True) if _RUNTIME.fullmatch(value.text.strip()) else value
    found[name] = variable_of(name, key, macros_filled(scalar, {}), level)


def macros_filled(scalar: Scalar, known: AbstractMapping[str, Variable]) -> Scalar:
    """Replace macros by the shell variables that hold the same: `$(date)` stays what it is to the shell."""
    if "$(" not in scalar.text:
        return scalar

    def piece(match: re.Match[str]) -> Piece | None:
        name = environment_name(match["name"])
        is_macro = name in known or "." in match["name"] or re.search("[A-Z]", match["name"])
        return Piece(f"${{{name}}}") if is_macro else None

    return interpolate(scalar, _MACRO, piece)
