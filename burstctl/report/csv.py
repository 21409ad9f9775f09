"""One line for the whole run and one for each request name, as CSV: for spreadsheets. Knows no files.

RFC 4180 with line feeds; the whole run has an empty `request`. Absent figures are empty. A text that
somebody would obey, as a spreadsheet does a formula, gets an apostrophe before it.
"""

import csv
from collections.abc import Iterator
from io import StringIO

from burstctl.gate import Verdict
from burstctl.report.words.inert import inert
from burstctl.summary import Figures, Spread, Summary

NAME = "csv"

_COUNTS = ("planned", "succeeded", "failed", "unsent", "attempts", "retries")
_DISTRIBUTIONS = ("latency", "response", "wait", "ttfb")
_TIMES = ("min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max")
_OBEYED = ("=", "+", "-", "@", "::")
"""What a spreadsheet, or a CI system that is shown the table, would take for something else than text."""


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the table; its first line names the columns."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    times = [f"{distribution}_{time}_ms" for distribution in _DISTRIBUTIONS for time in _TIMES]
    writer.writerow(["request", "verdict", *_COUNTS, *times, "status_2xx", "status_4xx", "status_5xx", "faults"])
    for name, figures in (("", summary.total), *summary.requests.items()):
        writer.writerow([_text(name), "" if name else verdict.result, *_cells(figures)])
    return out.getvalue()


def _cells(figures: Figures) -> Iterator[object]:
    yield from (getattr(figures, count) for count in _COUNTS)
    for distribution in _DISTRIBUTIONS:
        spread: Spread = getattr(figures, f"{distribution}_ms")
        for time in _TIMES:
            value: float | None = getattr(spread, time)
            yield "" if value is None else f"{value:.3f}"
    for first in (2, 4, 5):
        yield sum(n for status, n in figures.status.items() if status // 100 == first)
    yield sum(figures.faults.values())


def _text(text: str) -> str:
    safe = inert(text)
    return f"'{safe}" if safe.startswith(_OBEYED) else safe
