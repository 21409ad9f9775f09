"""Holds a result against an earlier one: what got worse by more than is allowed, beyond what chance explains.

A percentile has got worse when it rose by more than is allowed and the two confidence intervals do not overlap; if they
do, the samples are too few to tell. A run that sent far fewer requests, or under other settings, is not comparable.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from burstctl import metric as metrics
from burstctl.comparison import Comparison, Row
from burstctl.exit_code import ExitCode
from burstctl.gate import Result
from burstctl.result.allowance import Allowance
from burstctl.result.plan import find_differences
from burstctl.result.read import Saved
from burstctl.summary import Ending, Summary

DEFAULT_ALLOWANCES = ("p95=10%", "failed=1%")
SHOWN = ("failed", "p50", "p95", "p99", "mean", "response.p95", "rate", "duration", "attempts_per_request")
"""What is always shown; gated is only what has an allowance."""

_LOAD_KEYS = ("rate_limit", "requests", "retry", "deadline_s")
"""Settings that shape the load: two runs that differ in them measured two things."""
_LEAST_ALIKE = 0.9
"""Share of the other run's requests below which a run is another, smaller one."""


def compare(base: Saved, new: Saved, allowances: Sequence[Allowance]) -> Comparison:
    """Compare two runs; what has no allowance is shown and does not gate."""
    given = {(one.metric, one.scope): one for one in allowances}
    wanted = dict.fromkeys([*((metric, None) for metric in SHOWN), *given])
    rows = tuple(_row(base.summary, new.summary, metric, scope, given.get((metric, scope))) for metric, scope in wanted)
    worse = [row.reason for row in rows if row.result is Result.FAIL]
    doubts = [*_incomparable(base, new), *(row.reason for row in rows if row.result is Result.INCONCLUSIVE)]
    if worse and not list(_incomparable(base, new)):
        result, code = Result.FAIL, ExitCode.FAIL
    elif doubts:
        result, code = Result.INCONCLUSIVE, ExitCode.INCONCLUSIVE
    else:
        result, code = Result.PASS, ExitCode.PASS
    reasons = tuple(worse + doubts if result is Result.FAIL else doubts + worse)
    return Comparison(base.file, new.file, result, code, reasons, rows, tuple(_notes(base, new)))


def _row(base: Summary, new: Summary, metric: str, scope: str | None, allowance: Allowance | None) -> Row:
    seen = [metrics.observe_metric(metric, scope, one) for one in (base, new)]
    values = [one.value if one.samples >= one.needed else None for one in seen]
    before, after = values
    row = Row(metric, scope, before, after, "" if allowance is None else allowance.text)
    if allowance is None:
        return row
    if before is None or after is None:
        which = "the base" if before is None else "the new run"
        return replace(row, result=Result.INCONCLUSIVE, reason=f"{row.label}: no data in {which}")
    if not allowance.is_exceeded(before, after):
        return row
    told = f"{row.label}: {metrics.show(metric, before)} → {metrics.show(metric, after)}, allowed {allowance.text}"
    # Where an interval exists, chance has its say; a count was counted.
    intervals = [one.interval for one in seen]
    if metrics.distribution_of(metric) is not None and metric.rpartition(".")[2].startswith("p"):
        old, recent = intervals
        if old is None or recent is None:
            return replace(row, result=Result.INCONCLUSIVE, reason=f"{told}, and the samples are too few to tell")
        if recent[0] <= old[1]:
            return replace(row, result=Result.INCONCLUSIVE, reason=f"{told}, but the confidence intervals overlap")
    return replace(row, result=Result.FAIL, reason=told)


def _incomparable(base: Saved, new: Saved) -> Iterator[str]:
    """Say why the two measured different things."""
    for key in _LOAD_KEYS:
        one, other = base.summary.settings.get(key), new.summary.settings.get(key)
        found = list(find_differences(one, other, key))
        if found:
            more = f" and {len(found) - 3} more" if len(found) > 3 else ""
            yield f"not comparable: the settings differ in {', '.join(found[:3])}{more}"
            return
    for saved in (base, new):
        if saved.summary.ending in (Ending.INTERRUPTED, Ending.TERMINATED, Ending.INTERNAL, Ending.UNAVAILABLE):
            yield f"not comparable: {saved.file} is of a run that ended early ({saved.summary.ending})"
        for what in saved.summary.missing:
            yield f"not comparable: {saved.file} is incomplete: {what}"
    counts = [one.summary.total.attempts - one.summary.total.retries for one in (base, new)]
    if min(counts) < _LEAST_ALIKE * max(counts) or not all(counts):
        yield f"not comparable: {counts[0]:,} requests were sent in the base and {counts[1]:,} in the new run"


def _notes(base: Saved, new: Saved) -> Iterator[str]:
    for difference in find_differences(
        base.summary.settings.get("target"), new.summary.settings.get("target"), "target"
    ):
        yield f"the settings differ in {difference}"
    for saved in (base, new):
        if saved.verdict.result is not Result.PASS:
            yield f"{saved.file} itself: {saved.verdict.result}"
