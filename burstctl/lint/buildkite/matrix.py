"""`matrix` of a Buildkite step: its instances, and `{{matrix.name}}`. Knows no other keyword."""

import itertools
import re
from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, inner, items_of, mappings_of, text_of
from burstctl.lint.pipeline import Hit
from burstctl.pattern import pattern

MAX_INSTANCES = 50
MAX_MULTIPLIED = 10_000
"""More than adjustments could ever bring down to Buildkite's limit, and little work."""
_EXPRESSION = pattern(r"\{\{\s*matrix(?:\.(?P<name>[\w-]+))?\s*\}\}")
_LATER = pattern(r"\$\$(?=[A-Za-z_{(])|\\\$(?=[A-Za-z_{(])")
"""A dollar that is the shell's, not the upload's."""


@light
class Matrix:
    """The instances of one step."""

    instances: int | None = 1
    rows: tuple[AbstractMapping[str, str], ...] = ()
    variables: AbstractMapping[str, Variable] = field(default_factory=dict)
    span: Span | None = None


def matrix_of(value: Value | None, step: str, gathered: Gathered) -> Matrix:
    """Multiply a matrix out, with its adjustments."""
    if value is None or (isinstance(value, Scalar) and value.value is None):
        return Matrix()
    setup = inner(value, "setup") if isinstance(value, Mapping) else value
    axes = _axes(setup)
    size = 1
    for values in axes.values():
        size = min(size * len(values), 1_000_000)
    if size > MAX_MULTIPLIED:
        message = f"the matrix makes {size:,} jobs; {MAX_INSTANCES} is the limit"
        gathered.note(Hit("BL002", value.span, message, job=step, key="matrix size"))
        return Matrix(None, span=value.span)
    gathered.spend(size, value.span)
    rows = [
        dict(zip(axes, (one.as_text for one in chosen), strict=True)) for chosen in itertools.product(*axes.values())
    ]
    for adjustment in mappings_of(inner(value, "adjustments")):
        changed = _with(adjustment.get("with"), axes)
        skipped = text_of(adjustment.get("skip"))
        if skipped not in (None, "false"):
            rows = [row for row in rows if row != changed]
        elif changed not in rows:
            rows.append(changed)
    named = tuple({_shell_name(name): text for name, text in row.items()} for row in rows)
    variables = {_shell_name(name): _variable(name, values[0]) for name, values in axes.items() if values}
    return Matrix(len(rows) or 1, named, variables, value.span)


def fill(scalar: Scalar) -> Scalar:
    """Put shell variables in place of what the matrix gives, and give the shell the dollars that are its own."""
    if "{{" in scalar.text:
        scalar = interpolate(scalar, _EXPRESSION, lambda match: Piece(f"${{{_shell_name(match['name'] or '')}}}"))
    return interpolate(scalar, _LATER, lambda _: Piece("$")) if "$" in scalar.text else scalar


def _axes(setup: Value | None) -> dict[str, list[Scalar]]:
    if isinstance(setup, Mapping):
        return {
            entry.key.text: [one for one in items_of(entry.value) if isinstance(one, Scalar)]
            for entry in entries_of(setup)
        }
    return {"": [one for one in items_of(setup) if isinstance(one, Scalar)]}


def _with(value: Value | None, axes: AbstractMapping[str, object]) -> dict[str, str]:
    if isinstance(value, Mapping):
        found = {entry.key.text: entry.value for entry in entries_of(value)}
        return {name: one.as_text for name, one in found.items() if isinstance(one, Scalar)}
    return {name: one.as_text for name, one in zip(axes, items_of(value), strict=False) if isinstance(one, Scalar)}


def _shell_name(name: str) -> str:
    return re.sub(r"\W", "_", f"matrix_{name}") if name else "matrix"


def _variable(name: str, first: Scalar) -> Variable:
    return Variable(_shell_name(name), first.as_text, first.span, first.span, "matrix", first)
