"""The instances of a job: those of its caller, times its own matrix. Knows no steps."""

from collections.abc import Sequence

from burstctl.light import light, replace
from burstctl.lint.document import Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.matrix import strategy_of
from burstctl.lint.github.operand import text_of
from burstctl.lint.github.scope import Scope

MAX_SCOPES = 512
"""Instances that are worth telling apart."""


@light
class Instances:
    """What runs of one job."""

    scopes: tuple[Scope, ...]
    """One for each; a single one where their number isn't known."""
    count: int | None = 1
    max_parallel: int | None = None
    spread: Span | None = None


def spread_over(outer: Instances, strategy: Value | None, job: str, gathered: Gathered) -> Instances:
    """Multiply a caller's instances by a job's own."""
    scopes: list[Scope] = []
    count: int | None = outer.count
    spread, at_once, own = outer.spread, None, 0
    for scope in outer.scopes:
        found = strategy_of(strategy, scope, job, gathered)
        spread, at_once = found.span or spread, found.max_parallel
        if found.rows is None:
            count = None
            scopes.append(replace(scope, matrix=None, index=None, total=None, max_parallel=at_once))
            continue
        rows = found.rows or ({},)
        own += len(rows)
        scopes += [
            replace(scope, matrix=row, index=place, total=len(rows), max_parallel=at_once)
            for place, row in enumerate(rows)
        ]
    if count is not None:
        count = own
    elif len(scopes) > 1:
        scopes = scopes[:1]
    return Instances(tuple(scopes[:MAX_SCOPES]), count, _at_once(outer, at_once, own), spread)


def _at_once(outer: Instances, own: int | None, total: int) -> int | None:
    """Give how many run at the same time; None where nothing holds them back."""
    if outer.max_parallel is None and own is None:
        return None
    callers = outer.count or 1
    each = max(1, total // max(1, callers))
    return min(outer.max_parallel or callers, callers) * min(own or each, each if total else own or 1)


def rows_of(scopes: Sequence[Scope], values: dict[str, tuple[str | None, ...]]) -> tuple[dict[str, str], ...]:
    """Give what the instances differ in: the matrix, and the variables that depend on it."""
    if len(scopes) < 2:
        return ()
    axes = {name for scope in scopes for name in scope.matrix or {}}
    rows: list[dict[str, str]] = []
    for place, scope in enumerate(scopes):
        row = {
            f"matrix_{name}": text_of(value)
            for name, value in (scope.matrix or {}).items()
            if not isinstance(value, dict | list)
        }
        lacking = {f"matrix_{name}" for name in axes} - row.keys()
        for name, given in values.items():
            if name in lacking:
                continue
            if len(given) == len(scopes) and len(set(given)) > 1 and (value := given[place]) is not None:
                row[name] = value
        rows.append(row)
    return tuple(rows)
