"""Writes one metric of two runs as the cells of a table. Knows no format."""

from collections.abc import Sequence

from burstctl import metric as metrics
from burstctl.comparison import Row
from burstctl.report.words.inert import inert

HEADINGS: Sequence[str] = ("", "base", "new", "change", "allowed", "")


def cells(row: Row) -> Sequence[str]:
    """Write label, both values, the change and what is allowed."""
    before, after = (_show(row.metric, value) for value in (row.base, row.new))
    change = "" if row.change is None else f"{row.change:+.1%}"
    return inert(row.label), before, after, change, row.allowed


def _show(metric: str, value: float | None) -> str:
    return "–" if value is None else metrics.show(metric, value)
