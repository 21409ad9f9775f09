"""Judges a summary by its thresholds: one verdict, from which report, exit code and first line all follow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from burstctl.exit_code import ExitCode
from burstctl.metric import Observation
from burstctl.summary import Ending, Figures, Generator, Spread, Summary
from burstctl.threshold import Threshold, observe
from burstctl.units import format_duration, format_ms, format_share

_LEAST_DELIVERED = 0.9
_LATE_MS = 5.0
_BUSY_CPU = 0.9
_WAITS = ("wait", "response")
"""Times that begin when a request is due: what the schedule loses, all later ones wait for."""


class Result(StrEnum):
    """The verdict's public words."""

    PASS = "pass"
    FAIL = "fail"
    UNAVAILABLE = "unavailable"
    INCONCLUSIVE = "inconclusive"
    NOTHING = "nothing"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


_PRECEDENCE = (
    Result.INTERRUPTED,
    Result.INTERNAL,
    Result.NOTHING,
    Result.UNAVAILABLE,
    Result.FAIL,
    Result.INCONCLUSIVE,
    Result.PASS,
)
_EXIT_CODES = {
    Result.INTERRUPTED: ExitCode.INTERRUPTED,
    Result.INTERNAL: ExitCode.INTERNAL,
    Result.NOTHING: ExitCode.NOTHING,
    Result.UNAVAILABLE: ExitCode.UNAVAILABLE,
    Result.FAIL: ExitCode.FAIL,
    Result.INCONCLUSIVE: ExitCode.INCONCLUSIVE,
    Result.PASS: ExitCode.PASS,
}


class Status(StrEnum):
    """How one threshold came out."""

    PASS = "pass"
    FAIL = "fail"
    NO_DATA = "no_data"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One threshold, held against the run."""

    threshold: Threshold
    observed: float | None
    """In the threshold's unit; None exactly where there is no data."""
    status: Status
    reason: str = ""
    """In words, where it did not pass or leaves a doubt."""
    result: Result = Result.PASS
    """What this threshold alone makes of the run: pass, fail or inconclusive."""
    interval: tuple[float, float] | None = None
    """Of a percentile, in the threshold's unit: what encloses the true one with 95 % confidence. It decides nothing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of the run in one value."""

    result: Result
    exit_code: ExitCode
    reasons: tuple[str, ...] = ()
    """In words, the most important first; empty exactly for a pass."""
    judgements: tuple[Judgement, ...] = ()
    """In the order of the thresholds."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Finding:
    result: Result
    reason: str


def judge(
    summary: Summary, thresholds: Sequence[Threshold], *, unwritten_reports: Sequence[str] = (), strict: bool = False
) -> Verdict:
    """Give the one verdict on a run; `unwritten_reports` names reports that were asked for and can't be written.

    `strict`: what would be inconclusive fails.
    """
    judgements = tuple(_weigh(threshold, summary) for threshold in thresholds)
    findings = [*_find_in_ending(summary), *_find_in_counts(summary)]
    if summary.total.planned:  # without a plan every threshold lacks data, which explains nothing
        findings += _find_in_judgements(judgements)
    findings += _find_in_generator(summary.generator)
    findings += [_Finding(Result.INCONCLUSIVE, f"incomplete: {what}") for what in summary.missing]
    findings += [
        _Finding(Result.INCONCLUSIVE, f"a report could not be written: {report}") for report in unwritten_reports
    ]
    findings.sort(key=lambda finding: _PRECEDENCE.index(finding.result))
    result = findings[0].result if findings else Result.PASS
    if strict and result is Result.INCONCLUSIVE:
        result = Result.FAIL
    terminated = result is Result.INTERRUPTED and summary.ending is Ending.TERMINATED
    return Verdict(
        result,
        ExitCode.TERMINATED if terminated else _EXIT_CODES[result],
        tuple(finding.reason for finding in findings),
        judgements,
        tuple(_warn(summary.generator)) if summary.total.attempts else (),
    )


def _weigh(threshold: Threshold, summary: Summary) -> Judgement:
    seen = observe(threshold, summary)
    if not seen.samples:
        result = Result.INCONCLUSIVE if seen.optional else Result.FAIL
        none = f"{threshold.label}: no data{_why_unread(threshold, summary)}"
        return Judgement(threshold, None, Status.NO_DATA, none, result)
    if seen.value is None or seen.samples < seen.needed:
        few = f"{threshold.label}: no data, it needs {seen.needed:,} samples and there are {seen.samples:,}"
        return Judgement(threshold, None, Status.NO_DATA, few, Result.INCONCLUSIVE)
    holds = threshold.holds(seen.value)
    status = Status.PASS if holds else Status.FAIL
    doubt = _doubt(threshold, seen.value, seen, summary.generator)
    if holds and not doubt:
        return Judgement(threshold, seen.value, status, interval=seen.interval)
    reason = f"{threshold.label}: observed {threshold.show(seen.value)}{_count(threshold, seen.value, seen)}"
    if doubt:
        return Judgement(threshold, seen.value, status, f"{reason}, {doubt}", Result.INCONCLUSIVE, seen.interval)
    return Judgement(threshold, seen.value, status, reason, Result.FAIL, seen.interval)


def _why_unread(threshold: Threshold, summary: Summary) -> str:
    """Say why a probe told nothing; empty for any other metric."""
    probe = summary.probes.get(threshold.probe or "")
    if probe is None:
        return ""
    if threshold.metric.endswith(".recovery") and probe.watched_s is not None:
        return f": not back when it was last read, {format_duration(probe.watched_s)} after the last answer"
    if not probe.causes:
        return ": nothing was told after the last answer" if threshold.metric.endswith(".recovery") else ""
    return f": {probe.causes[0].text} ({probe.errors:,} of {probe.errors + probe.readings:,} readings failed)"


def _doubt(threshold: Threshold, value: float, seen: Observation, generator: Generator) -> str:
    """Say why a time so near its limit proves nothing; empty where it does."""
    distance = abs(value - threshold.limit)
    if seen.relative_error and distance <= seen.relative_error * value:
        return f"too near the limit for a percentile that is known to {format_share(seen.relative_error)}"
    if threshold.distribution and not threshold.holds(value):
        rank, lag_ms = _lag_of(threshold, generator.lag_ms)
        if lag_ms and distance <= lag_ms:
            return f"broken by no more than burstctl's own lag ({rank} {format_ms(lag_ms)} ms)"
        lost_ms = generator.lost_s * 1000
        if threshold.distribution in _WAITS and distance <= (lag_ms or 0.0) + lost_ms:
            return f"broken by no more than burstctl's own delays ({format_ms(lost_ms)} ms of schedule lost)"
    return ""


def _lag_of(threshold: Threshold, lag: Spread) -> tuple[str, float | None]:
    """Take the lag's p99; for what is rarer, the lag that is as rare: one stall may break a maximum."""
    if threshold.metric.endswith("max"):
        return "max", lag.max
    return ("p99.9", lag.p999) if threshold.metric.endswith("p99.9") else ("p99", lag.p99)


def _count(threshold: Threshold, share: float, seen: Observation) -> str:
    return f" ({round(share * seen.samples):,} of {seen.samples:,})" if threshold.is_share else ""


def _find_in_ending(summary: Summary) -> Iterator[_Finding]:
    total, said = summary.total, summary.ending_reason
    match summary.ending:
        case Ending.INTERRUPTED | Ending.TERMINATED:
            yield _Finding(Result.INTERRUPTED, (said or summary.ending) + _left_over(total))
        case Ending.INTERNAL:
            yield _Finding(Result.INTERNAL, (said or "a bug in burstctl ended the run") + _left_over(total))
        case Ending.UNAVAILABLE:
            yield _Finding(Result.UNAVAILABLE, (said or "the target became unavailable") + _left_over(total))
        case Ending.DEADLINE | Ending.ABORTED:
            default = "deadline reached" if summary.ending is Ending.DEADLINE else "the run was aborted"
            yield _Finding(Result.FAIL, (said or default) + _left_over(total))
        case Ending.COMPLETE:
            pass


def _left_over(total: Figures) -> str:
    """Say what an early end left undone."""
    unsent = f"{total.unsent:,} of {total.planned:,} requests were not sent" if total.unsent else ""
    cancelled = total.faults.get("cancelled", 0)
    cut = f"{cancelled:,} cut off" if cancelled else ""
    left = ", ".join(filter(None, (unsent, cut)))
    return f": {left}" if left else ""


def _find_in_counts(summary: Summary) -> Iterator[_Finding]:
    total = summary.total
    ended = total.succeeded + total.failed + total.unsent
    if ended != total.planned:
        lost = f"burstctl lost count: {total.planned:,} requests planned, {ended:,} accounted for"
        yield _Finding(Result.INTERNAL, lost)
    if not total.planned:
        share = "this job's share of the plan is empty" if summary.shard.total > 1 else "the plan is empty"
        yield _Finding(Result.NOTHING, f"{share}: nothing was sent")
    answered = total.status or total.broken_off
    if total.attempts and not answered and summary.ending is not Ending.UNAVAILABLE:
        by_count = sorted(total.faults.items(), key=lambda item: -item[1])
        faults = ", ".join(f"{fault} {n:,}" for fault, n in by_count) or "none ended"
        yield _Finding(Result.UNAVAILABLE, f"no HTTP answer to any of {total.attempts:,} attempts: {faults}")


def _find_in_judgements(judgements: Sequence[Judgement]) -> Iterator[_Finding]:
    # Whether requests were answered comes before how fast; what was observed before what was not.
    ordered = sorted(
        judgements, key=lambda one: (one.observed is None, one.threshold.metric not in ("failed", "unsent"))
    )
    return (_Finding(one.result, one.reason) for one in ordered if one.result is not Result.PASS)


def _find_in_generator(generator: Generator) -> Iterator[_Finding]:
    if generator.delivered < _LEAST_DELIVERED:
        share = format_share(generator.delivered)
        yield _Finding(
            Result.INCONCLUSIVE, f"burstctl itself could not keep the pace: {share} of what ceiling and window allowed"
        )


def _warn(generator: Generator) -> Iterator[str]:
    lag_ms = generator.lag_ms.p99
    if lag_ms is not None and lag_ms > _LATE_MS:
        yield f"burstctl itself was late (lag p99 {format_ms(lag_ms)} ms): latency may look worse than it was"
    if generator.cpu > _BUSY_CPU * generator.processes:
        cores = "a core" if generator.processes == 1 else f"{generator.processes} cores"
        used = format_share(generator.cpu / generator.processes)
        yield f"burstctl itself used {used} of {cores}: this machine is near its limit"
