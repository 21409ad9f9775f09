"""`strategy` of an Azure job: how many run, and what they differ in. Knows no other keyword."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light
from burstctl.lint.azure.variable import environment_name, variables_of
from burstctl.lint.document import Mapping, Value
from burstctl.lint.file import Span
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, inner, whole_of

NODE_VARIABLES = frozenset({"SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE"})
"""Set for a count and for a matrix alike."""


@light
class Strategy:
    """The instances of one job."""

    instances: int | None = 1
    matrix: tuple[AbstractMapping[str, str], ...] = ()
    variables: AbstractMapping[str, Variable] = field(default_factory=dict)
    """Those that every instance has; a value is the first instance's."""
    span: Span | None = None
    max_parallel: int | None = None


def strategy_of(value: Value | None) -> Strategy:
    """Read a strategy."""
    most = whole_of(inner(value, "maxParallel")) or None
    parallel, matrix = inner(value, "parallel"), inner(value, "matrix")
    if isinstance(matrix, Mapping):
        rows = [variables_of(entry.value, "matrix") for entry in entries_of(matrix)]
        shared = {name: one for name, one in rows[0].items() if all(name in row for row in rows)} if rows else {}
        texts = tuple({environment_name(name): one.value or "" for name, one in row.items()} for row in rows)
        return Strategy(len(rows) or 1, texts, shared, matrix.span if rows else None, most)
    if matrix is not None:
        return Strategy(None, span=matrix.span, max_parallel=most)
    if parallel is not None:
        count = whole_of(parallel)
        return Strategy(count, span=None if count in (0, 1) else parallel.span, max_parallel=most)
    return Strategy()
