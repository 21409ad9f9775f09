"""`parallel`: how many instances of a job run, and what they differ in. Knows no other keyword."""

import itertools
from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import Span
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.job import Variable
from burstctl.lint.pipeline import Hit

MAX_INSTANCES = 200
COUNTED = 1_000_000
"""Beyond it there are many."""

NODE_VARIABLES = frozenset({"CI_NODE_INDEX", "CI_NODE_TOTAL"})
"""Set for a count and for a matrix alike."""


@light
class Spread:
    """The instances of one job."""

    instances: int | None = 1
    matrix: tuple[AbstractMapping[str, str], ...] = ()
    variables: AbstractMapping[str, Variable] = field(default_factory=dict)
    """Those that every instance has; a value is the first instance's."""
    span: Span | None = None


def spread_of(value: Value | None, job: str, reading: Reading) -> Spread:
    """Expand a job's `parallel`."""
    match value:
        case Scalar(value=None) | None:
            return Spread()
        case Scalar():
            return _count(value, job, reading)
        case Mapping():
            rows = value.get("matrix")
            if isinstance(rows, Mapping):
                rows = Sequence(rows.span, (rows,))
            if isinstance(rows, Sequence):
                return _matrix(rows, job, reading)
    return Spread()


def _count(value: Scalar, job: str, reading: Reading) -> Spread:
    if value.unknown:
        return Spread(None, span=value.span)
    number = value.value
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MAX_INSTANCES:
        message = f"`parallel` takes a number from 1 to {MAX_INSTANCES}"
        reading.note(Hit("BL002", value.span, message, job=job, key="parallel"))
        return Spread(None, span=value.span)
    return Spread(number, span=value.span)


def _matrix(rows: Sequence, job: str, reading: Reading) -> Spread:
    axes = [list(_axes(row)) for row in _flat(rows, reading)]
    total = sum(_size(row) for row in axes if row)
    if total > MAX_INSTANCES:
        count = f"more than {COUNTED:,}" if total > COUNTED else f"{total:,}"
        message = f"the matrix makes {count} jobs; {MAX_INSTANCES} is the limit"
        reading.note(Hit("BL002", rows.span, message, job=job, key="matrix size"))
        return Spread(None, span=rows.span)
    matrix: dict[tuple[str, ...], dict[str, str]] = {}
    for row in filter(None, axes):
        for values in itertools.product(*(axis.values for axis in row)):
            texts = tuple(value.as_text for value in values)
            if texts in matrix:
                message = f"the matrix makes two jobs named `{job}: [{', '.join(texts)}]`: one of them is lost"
                reading.note(Hit("BL002", rows.span, message, job=job, key="matrix names"))
            matrix[texts] = dict(zip((axis.name for axis in row), texts, strict=True))
    return Spread(len(matrix) or 1, tuple(matrix.values()), _shared(axes), rows.span if matrix else None)


@light
class _Axis:
    """One variable of a matrix entry."""

    name: str
    key: Span
    values: tuple[Scalar, ...]


def _size(row: list[_Axis]) -> int:
    """Multiply the numbers of values, as far as anybody wants to know."""
    product = 1
    for axis in row:
        product *= len(axis.values)
        if product > COUNTED:
            break
    return product


def _axes(row: Mapping) -> Iterator[_Axis]:
    for name, entry in row.entries.items():
        items = entry.value.items if isinstance(entry.value, Sequence) else (entry.value,)
        yield _Axis(name, entry.key.span, tuple(item for item in items if isinstance(item, Scalar)))


def _flat(rows: Sequence, reading: Reading) -> Iterator[Mapping]:
    """Give the entries; a reference to a list of them leaves a list within the list."""
    rest: list[Value] = [rows]
    while rest:
        one = rest.pop()
        reading.spend(1, one.span)
        if isinstance(one, Mapping):
            yield one
        elif isinstance(one, Sequence):
            rest.extend(reversed(one.items))


def _shared(rows: list[list[_Axis]]) -> dict[str, Variable]:
    filled = [{axis.name: axis for axis in row if axis.values} for row in rows if row]
    if not filled:
        return {}
    shared = [name for name in filled[0] if all(name in row for row in filled)]
    return {name: _variable(filled[0][name]) for name in shared}


def _variable(axis: _Axis) -> Variable:
    first = axis.values[0]
    text = None if first.unknown else first.as_text
    return Variable(axis.name, text, first.span, axis.key, "matrix", first, asked=first.asked)
