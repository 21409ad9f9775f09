"""`strategy`: the instances of a job, by product, `exclude` and `include`. Knows no other keyword."""

import itertools
from collections.abc import Iterator
from typing import Any

from burstctl.light import light
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.expression import EXPRESSION, evaluate
from burstctl.lint.github.filling import text_result
from burstctl.lint.github.operand import UNKNOWN, text_of
from burstctl.lint.github.scope import Scope
from burstctl.lint.look import inner
from burstctl.lint.pipeline import Hit

MAX_INSTANCES = 256
"""GitHub's limit for one matrix."""
_MAX_DEPTH = 20

Row = dict[str, Any]


@light
class Strategy:
    """The instances of one job."""

    rows: tuple[Row, ...] | None = ({},)
    """None: how many there are is known only when the workflow runs."""
    span: Span | None = None
    max_parallel: int | None = None


def strategy_of(value: Value | None, scope: Scope, job: str, gathered: Gathered) -> Strategy:
    """Expand a job's `strategy`."""
    matrix = inner(value, "matrix")
    limit = inner(value, "max-parallel")
    most = text_result(limit, scope).value if isinstance(limit, Scalar) else None
    at_once = int(most) if isinstance(most, int | float) and not isinstance(most, bool) and most >= 1 else None
    if matrix is None or (isinstance(matrix, Scalar) and matrix.value is None):
        return Strategy(max_parallel=at_once)
    content = data_of(matrix, scope, gathered)
    if not isinstance(content, dict):
        return Strategy(None, matrix.span, at_once)
    rows = _rows(content, job, matrix.span, gathered)
    return Strategy(rows, matrix.span, at_once)


def _rows(content: Row, job: str, span: Span, gathered: Gathered) -> tuple[Row, ...] | None:
    axes = {name: values for name, values in content.items() if name not in ("include", "exclude")}
    extra, left_out = content.get("include", []), content.get("exclude", [])
    lists = [values if isinstance(values, list) else [values] for values in axes.values()]
    if any(UNKNOWN in values for values in lists) or not isinstance(extra, list) or not isinstance(left_out, list):
        return None
    size = 1
    for values in lists:
        size = min(size * len(values), 1_000_000)
    if size > MAX_INSTANCES:
        _note_size(size, job, span, gathered)
        return None
    gathered.spend(size + len(extra) * max(1, size), span)
    product = [dict(zip(axes, values, strict=True)) for values in itertools.product(*lists)] if axes else []
    kept = [row for row in product if not any(_matches(row, one) for one in left_out)]
    rows = list(_including(kept, extra))
    if len(rows) > MAX_INSTANCES:
        _note_size(len(rows), job, span, gathered)
        return None
    return tuple(rows)


def _including(rows: list[Row], extra: list[Any]) -> Iterator[Row]:
    """Lay each `include` over the rows whose own values it leaves alone; where there are none it is a row itself."""
    grown = [dict(row) for row in rows]
    more: list[Row] = []
    for one in extra:
        if not isinstance(one, dict):
            continue
        fitting = [
            place
            for place, row in enumerate(rows)
            if all(name not in row or _same(row[name], value) for name, value in one.items())
        ]
        for place in fitting:
            grown[place].update(one)
        if not fitting:
            more.append(dict(one))
    yield from (*grown, *more)


def _matches(row: Row, pattern: Any) -> bool:
    return isinstance(pattern, dict) and all(name in row and _same(row[name], value) for name, value in pattern.items())


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return bool(one == other)
    return text_of(one) == text_of(other)


def _note_size(size: int, job: str, span: Span, gathered: Gathered) -> None:
    count = "more than 1,000,000" if size >= 1_000_000 else f"{size:,}"
    message = f"the matrix makes {count} jobs; {MAX_INSTANCES} is the limit"
    gathered.note(Hit("BL002", span, message, job=job, key="matrix size"))


def data_of(value: Value, scope: Scope, gathered: Gathered, depth: int = 0) -> Any:
    """Give a value as JSON's, its expressions worked out."""
    gathered.spend(1, value.span)
    if depth > _MAX_DEPTH:
        return UNKNOWN
    if isinstance(value, Scalar):
        whole = EXPRESSION.fullmatch(value.text.strip())
        return evaluate(whole["body"], scope.lookup).value if whole else text_result(value, scope).value
    if isinstance(value, Sequence):
        return [data_of(one, scope, gathered, depth + 1) for one in value.items]
    if isinstance(value, Mapping):
        return {name: data_of(entry.value, scope, gathered, depth + 1) for name, entry in value.entries.items()}
    return UNKNOWN
