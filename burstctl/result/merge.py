"""Joins the results of parallel jobs into one run: exact in counts, within 0.1 % in percentiles. Judges nothing.

What can't be known of several jobs together is a bound on the safe side, and a note says so: the most sends in any
second and requests in flight are sums over jobs that ran at the same time.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from burstctl.errors import UsageError
from burstctl.result.distribution import join_spreads
from burstctl.result.plan import describe_difference
from burstctl.result.probe import join_probes
from burstctl.result.read import Saved
from burstctl.summary import Cause, Ending, Figures, Generator, InFlight, Rate, Second, Shard, Summary

_SUMMED = ("planned", "succeeded", "failed", "unsent", "attempts", "retries", "broken_off")
_SPREADS = ("latency_ms", "response_ms", "wait_ms", "ttfb_ms", "failed_ms")
_ENDINGS = (Ending.INTERRUPTED, Ending.TERMINATED, Ending.INTERNAL, Ending.ABORTED, Ending.DEADLINE)
"""The gravest first."""
_MOST_NAMED = 20
"""Missing jobs."""


def merge(results: Sequence[Saved]) -> Summary:
    """Join results of one plan; `UsageError` where they don't belong together."""
    _check(results)
    ordered = sorted(results, key=lambda one: (one.summary.shard.index, one.summary.started_at, one.file))
    runs = [one.summary for one in ordered]
    start = min(_start(run) for run in runs)
    offsets_s = [(_start(run) - start).total_seconds() for run in runs]
    ending, reason = _ending(runs)
    bound = "most in any second and in flight are sums over the jobs: the truth may be less"
    notes = dict.fromkeys(note for run in runs for note in run.notes)
    return Summary(
        name=runs[0].name,
        started_at=start.isoformat(timespec="milliseconds"),
        duration_s=max(offset_s + run.duration_s for offset_s, run in zip(offsets_s, runs, strict=True)),
        total=join_figures([run.total for run in runs]),
        requests={name: join_figures([run.requests[name] for run in runs]) for name in runs[0].requests},
        rate=_rate(runs, offsets_s),
        in_flight=_in_flight(runs),
        generator=_generator(runs),
        timeline=tuple(_timeline(runs, offsets_s)),
        settings=runs[0].settings,
        notes=(f"joined of {len(runs)} results; {bound}", *notes) if len(runs) > 1 else tuple(notes),
        ending=ending,
        ending_reason=reason,
        shard=Shard(),
        probes=join_probes([run.probes for run in runs], offsets_s),
        missing=tuple(_missing(runs)),
    )


def join_figures(parts: Sequence[Figures]) -> Figures:
    """Add up the figures of one scope."""
    status: Counter[int] = Counter()
    faults: Counter[str] = Counter()
    for one in parts:
        status.update(one.status)
        faults.update(one.faults)
    counts: dict[str, Any] = {key: sum(getattr(one, key) for one in parts) for key in _SUMMED}
    spreads: dict[str, Any] = {key: join_spreads([getattr(one, key) for one in parts]) for key in _SPREADS}
    return Figures(
        **counts,
        **spreads,
        status=dict(sorted(status.items())),
        faults=dict(sorted(faults.items())),
        causes=_join_causes(one.causes for one in parts),
        retry_causes=_join_causes(one.retry_causes for one in parts),
    )


def _check(results: Sequence[Saved]) -> None:
    first, *others = results
    for other in others:
        difference = describe_difference(first.summary.settings, other.summary.settings)
        if difference is None and list(first.summary.requests) != list(other.summary.requests):
            difference = "the names of their requests"
        if difference is None and first.summary.shard.total != other.summary.shard.total:
            difference = "the number of jobs"
        if difference is not None:
            raise UsageError(
                f"{first.file} and {other.file} are not of one plan: they differ in {difference}",
                hint="merge the results of the parallel jobs of one pipeline",
            )
    seen: dict[int, str] = {}
    for one in results:
        shard = one.summary.shard
        if shard.total > 1 and shard.index in seen:
            raise UsageError(
                f"{seen[shard.index]} and {one.file} are both of job {shard.index} of {shard.total}",
                hint="a job that was repeated counts once: give the result that holds",
            )
        seen[shard.index] = one.file


def _missing(runs: Sequence[Summary]) -> Iterable[str]:
    total, there = runs[0].shard.total, {run.shard.index for run in runs}
    if total > 1 and len(there) < total:
        absent = total - len(there)
        named = islice((str(index) for index in range(1, total + 1) if index not in there), _MOST_NAMED)
        jobs = "job" if absent == 1 else "jobs"
        more = f" and {absent - _MOST_NAMED:,} more" if absent > _MOST_NAMED else ""
        yield f"the result of {jobs} {', '.join(named)}{more} of {total} is missing"
    yield from dict.fromkeys(what for run in runs for what in run.missing)


def _ending(runs: Sequence[Summary]) -> tuple[Ending, str]:
    if all(run.ending is Ending.UNAVAILABLE for run in runs):
        return Ending.UNAVAILABLE, runs[0].ending_reason
    for ending in _ENDINGS:
        for run in runs:
            if run.ending is ending:
                return ending, _of_job(run)
    # One job that did not reach what the others did: the run as a whole has failed, it was not unavailable.
    lost = next((run for run in runs if run.ending is Ending.UNAVAILABLE), None)
    return (Ending.COMPLETE, "") if lost is None else (Ending.ABORTED, _of_job(lost))


def _of_job(run: Summary) -> str:
    reason = run.ending_reason or run.ending
    return f"job {run.shard.index}: {reason}" if run.shard.total > 1 else reason


def _rate(runs: Sequence[Summary], offsets_s: Sequence[float]) -> Rate:
    placed = list(zip(offsets_s, runs, strict=True))
    firsts = [offset_s + run.rate.first_s for offset_s, run in placed if run.rate.first_s is not None]
    lasts = [offset_s + run.rate.last_s for offset_s, run in placed if run.rate.last_s is not None]
    sends = sum(run.total.attempts for run in runs)
    first_s, last_s = (min(firsts), max(lasts)) if firsts and lasts else (None, None)
    span_s = 0.0 if first_s is None or last_s is None else last_s - first_s
    spans = [
        (offset_s + (run.rate.first_s or 0.0), offset_s + (run.rate.last_s or 0.0) + 1.0, run.rate.max_1s)
        for offset_s, run in placed
    ]
    return Rate(
        ceiling=sum(run.rate.ceiling for run in runs),
        achieved=(sends - 1) / span_s if span_s > 0 else None,
        max_1s=max(sum(most for begin, end, most in spans if begin <= at < end) for at, _, _ in spans),
        first_s=first_s,
        last_s=last_s,
    )


def _in_flight(runs: Sequence[Summary]) -> InFlight:
    windows = [run.in_flight.window for run in runs if run.in_flight.window is not None]
    return InFlight(sum(run.in_flight.max for run in runs), sum(windows) if windows else None)


def _generator(runs: Sequence[Summary]) -> Generator:
    allowed = sum(run.total.attempts / run.generator.delivered for run in runs if run.generator.delivered > 0)
    return Generator(
        lag_ms=join_spreads([run.generator.lag_ms for run in runs]),
        cpu=sum(run.generator.cpu for run in runs),
        delivered=sum(run.total.attempts for run in runs) / allowed if allowed else 1.0,
        processes=sum(run.generator.processes for run in runs),
        lost_s=max(run.generator.lost_s for run in runs),
    )


def _timeline(runs: Sequence[Summary], offsets_s: Sequence[float]) -> Iterable[Second]:
    """Add up what happened in each second since the first start; of several p95 the worst one is given."""
    seconds: dict[int, Second] = {}
    for offset_s, run in zip(offsets_s, runs, strict=True):
        for second in run.timeline:
            t = second.t + int(offset_s)
            seconds[t] = _add(seconds[t], second) if t in seconds else replace(second, t=t)
    return (seconds[t] for t in sorted(seconds))  # those between two jobs, which may be days, hold nothing


def _add(one: Second, other: Second) -> Second:
    return Second(
        t=one.t,
        **{key: getattr(one, key) + getattr(other, key) for key in ("sent", "succeeded", "failed", "status_429")},
        p95_ms=max((p95 for p95 in (one.p95_ms, other.p95_ms) if p95 is not None), default=None),
        rate=_sum(one.rate, other.rate),
        window=_sum(one.window, other.window),
        in_flight=one.in_flight + other.in_flight,
    )


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else one + other


def _join_causes(parts: Iterable[Sequence[Cause]]) -> tuple[Cause, ...]:
    joined: dict[str, Cause] = {}
    for cause in (one for causes in parts for one in causes):
        before = joined.get(cause.text)
        joined[cause.text] = cause if before is None else replace(before, count=before.count + cause.count)
    return tuple(sorted(joined.values(), key=lambda cause: -cause.count))


def _start(run: Summary) -> datetime:
    return datetime.fromisoformat(run.started_at)
