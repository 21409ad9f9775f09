"""The verdict: what fails a run, what leaves it undecided, and what a pass promises."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.exit_code import ExitCode
from burstctl.gate import Result, Status, Verdict, judge
from burstctl.summary import (
    Cause,
    Ending,
    Figures,
    Generator,
    ProbeFigures,
    Rate,
    SeriesFigures,
    Shard,
    Spread,
    Summary,
)
from burstctl.threshold import parse_threshold

DEFAULTS = ("failed <= 0%", "unsent <= 0%")


def spread(count: int = 1200, p95: float = 84.0, relative_error: float = 0.0) -> Spread:
    return Spread(count, 1.0, 43.0, 41.0, 50.0, 68.0, p95, 120.0, 150.0, 164.0, relative_error)


GOOD = Summary(
    "",
    "2025-01-31T03:00:00Z",
    4.1,
    Figures(1200, succeeded=1200, attempts=1200, latency_ms=spread(), status={200: 1200}),
    {},
    Rate(300.0, 299.7, 300),
    generator=Generator(Spread(1200, p50=0.1, p99=0.9, max=3.0), cpu=0.2),
)


def run(
    *,
    succeeded: int = 1200,
    failed: int = 0,
    unsent: int = 0,
    latency: Spread | None = None,
    status: Mapping[int, int] | None = None,
    faults: Mapping[str, int] | None = None,
    lag_p99_ms: float = 0.9,
    lag_max_ms: float | None = None,
    cpu: float = 0.2,
    delivered: float = 1.0,
    ending: Ending = Ending.COMPLETE,
    reason: str = "",
) -> Summary:
    sent = succeeded + failed
    total = Figures(
        sent + unsent,
        succeeded,
        failed,
        unsent,
        attempts=sent,
        latency_ms=latency or spread(),
        status={200: sent} if status is None else status,
        faults=faults or {},
    )
    generator = Generator(Spread(sent, p50=0.1, p99=lag_p99_ms, max=lag_max_ms or lag_p99_ms), cpu, delivered)
    return replace(GOOD, total=total, generator=generator, ending=ending, ending_reason=reason)


def late_starts() -> Summary:
    """Give a run whose waits are long because burstctl let schedule pass; its latency is another matter."""
    summary = run(lag_p99_ms=60.0)
    total = replace(summary.total, wait_ms=spread(p95=790.0))
    return replace(summary, total=total, generator=replace(summary.generator, lost_s=0.55))


def verdict_on(summary: Summary, *thresholds: str, unwritten: tuple[str, ...] = ()) -> Verdict:
    parsed = [parse_threshold(text) for text in (*DEFAULTS, *thresholds)]
    return judge(summary, parsed, unwritten_reports=unwritten)


def test_a_good_run_passes_without_a_word() -> None:
    verdict = verdict_on(GOOD, "p95 < 200ms")
    assert (verdict.result, verdict.exit_code, verdict.reasons, verdict.warnings) == ("pass", 0, (), ())
    assert [judgement.observed for judgement in verdict.judgements] == [0.0, 0.0, 84.0]


@pytest.mark.parametrize(
    ("summary", "thresholds", "reasons"),
    [
        (run(latency=spread(p95=241.0)), ["p95 < 200ms"], ["p95 < 200ms: observed 241 ms"]),
        (
            run(succeeded=1162, failed=38, latency=spread(p95=241.0)),
            ["p95 < 200ms"],
            ["failed <= 0%: observed 3.17% (38 of 1,200)", "p95 < 200ms: observed 241 ms"],
        ),
        (
            run(succeeded=888, unsent=312, ending=Ending.DEADLINE, reason="deadline of 60 s reached"),
            [],
            [
                "deadline of 60 s reached: 312 of 1,200 requests were not sent",
                "unsent <= 0%: observed 26% (312 of 1,200)",
            ],
        ),
        (
            run(succeeded=100, failed=20, ending=Ending.ABORTED, faults={"cancelled": 8}),
            ["failed <= 50%"],
            ["the run was aborted: 8 cut off", "failed <= 0%: observed 16.7% (20 of 120)"],
        ),
        (
            run(succeeded=0, failed=3, latency=Spread(), status={404: 3}),
            ["p95 < 200ms"],
            ["failed <= 0%: observed 100% (3 of 3)", "p95 < 200ms: no data"],
        ),
        (
            replace(GOOD, requests={"golden-set": Figures(300, 300, latency_ms=spread(p95=612.0))}),
            ["golden-set: p95 < 500ms"],
            ["golden-set: p95 < 500ms: observed 612 ms"],
        ),
        (run(latency=spread(p95=200.4), lag_p99_ms=0.1), ["p95 < 200ms"], ["p95 < 200ms: observed 200.4 ms"]),
    ],
    ids=["threshold", "failures-first", "deadline", "aborted", "no-data", "one-name", "a-hair-over"],
)
def test_fails_and_says_why_with_the_most_important_first(
    summary: Summary, thresholds: list[str], reasons: list[str]
) -> None:
    verdict = verdict_on(summary, *thresholds)
    assert (verdict.result, verdict.exit_code) == (Result.FAIL, ExitCode.FAIL)
    assert list(verdict.reasons) == reasons


def test_an_early_end_fails_even_where_every_threshold_holds() -> None:
    summary = run(succeeded=1000, unsent=200, ending=Ending.DEADLINE)
    assert judge(summary, [parse_threshold("unsent <= 50%")]).exit_code == ExitCode.FAIL


@pytest.mark.parametrize(
    ("summary", "thresholds", "status", "reason"),
    [
        (run(latency=spread(p95=205.0), lag_p99_ms=6.0), ["p95 < 200ms"], "fail", "own lag"),
        (late_starts(), ["wait.p95 < 200ms"], "fail", "550 ms of schedule lost"),
        (run(latency=spread(19)), ["p95 < 200ms"], "no_data", "needs 20 samples and there are 19"),
        (run(latency=spread(19, p95=900.0)), ["p95 < 200ms"], "no_data", "needs 20 samples"),
        (run(latency=spread(p95=199.9, relative_error=0.001)), ["p95 < 200ms"], "pass", "too near the limit"),
        (run(latency=spread(p95=200.1, relative_error=0.001), lag_p99_ms=0.0), ["p95 < 200ms"], "fail", "too near"),
        (run(delivered=0.89), ["p95 < 200ms"], "pass", "89% of what ceiling and window allowed"),
        (replace(run(succeeded=1), rate=Rate(300.0)), ["rate > 100/s"], "no_data", "needs 2 samples"),
    ],
    ids=[
        "within-lag",
        "late-starts",
        "few-samples",
        "few-and-slow",
        "held-by-error",
        "broken-by-error",
        "not-delivered",
        "one-send",
    ],
)
def test_gives_no_verdict_that_would_not_be_honest(
    summary: Summary, thresholds: list[str], status: str, reason: str
) -> None:
    verdict = verdict_on(summary, *thresholds)
    assert (verdict.result, verdict.exit_code) == (Result.INCONCLUSIVE, ExitCode.INCONCLUSIVE)
    assert verdict.judgements[-1].status == status
    assert reason in verdict.reasons[0]


def test_lost_schedule_excuses_waits_only() -> None:
    late = late_starts()
    slow = replace(late, total=replace(late.total, latency_ms=spread(p95=790.0)))
    assert verdict_on(slow, "p95 < 200ms").result is Result.FAIL
    assert verdict_on(late, "wait.p95 < 100ms").result is Result.FAIL


def test_one_stall_excuses_a_maximum_and_no_percentile() -> None:
    stalled = run(latency=spread(p95=241.0), lag_p99_ms=0.9, lag_max_ms=450.0)
    assert verdict_on(stalled, "max < 100ms").result is Result.INCONCLUSIVE
    assert verdict_on(stalled, "p95 < 200ms").result is Result.FAIL


def test_lag_excuses_times_only() -> None:
    assert verdict_on(run(succeeded=1199, failed=1, lag_p99_ms=500.0)).result is Result.FAIL


def test_a_report_that_could_not_be_written_leaves_no_verdict_but_hides_no_failure() -> None:
    assert verdict_on(GOOD, unwritten=("json=out.json: disk full",)).exit_code == ExitCode.INCONCLUSIVE
    failed = verdict_on(run(succeeded=1199, failed=1), unwritten=("json=out.json: disk full",))
    assert failed.exit_code == ExitCode.FAIL
    assert "json=out.json: disk full" in failed.reasons[-1]


def test_a_slow_generator_with_thresholds_held_passes_with_warnings() -> None:
    verdict = verdict_on(run(lag_p99_ms=12.3, cpu=0.97), "p95 < 200ms")
    assert verdict.result is Result.PASS
    assert [("late" in text, "97%" in text) for text in verdict.warnings] == [(True, False), (False, True)]


def test_no_http_answer_is_unavailable_whatever_the_thresholds_say() -> None:
    verdict = verdict_on(run(succeeded=0, failed=12, latency=Spread(), status={}, faults={"dns": 2, "connect": 10}))
    assert verdict.exit_code == ExitCode.UNAVAILABLE
    assert verdict.reasons[0] == "no HTTP answer to any of 12 attempts: connect 10, dns 2"


def test_requests_that_could_not_be_made_fail_rather_than_being_unavailable() -> None:
    nothing_sent = replace(GOOD, total=Figures(3, failed=3))
    assert verdict_on(nothing_sent).exit_code == ExitCode.FAIL


def test_an_empty_share_is_nothing_and_says_whose() -> None:
    empty = replace(GOOD, total=Figures(0), shard=Shard(3, 3))
    verdict = verdict_on(empty, "p95 < 200ms")
    assert verdict.exit_code == ExitCode.NOTHING
    assert verdict.reasons == ("this job's share of the plan is empty: nothing was sent",)


def test_a_lost_request_is_a_bug_not_a_pass() -> None:
    lost = replace(GOOD, total=replace(GOOD.total, succeeded=1199))
    assert verdict_on(lost).exit_code == ExitCode.INTERNAL


ENDING_CODES = {
    Ending.INTERRUPTED: ExitCode.INTERRUPTED,
    Ending.TERMINATED: ExitCode.TERMINATED,
    Ending.INTERNAL: ExitCode.INTERNAL,
    Ending.UNAVAILABLE: ExitCode.UNAVAILABLE,
    Ending.DEADLINE: ExitCode.FAIL,
    Ending.ABORTED: ExitCode.FAIL,
    Ending.COMPLETE: ExitCode.PASS,
}
PRECEDENCE = [
    ExitCode.TERMINATED,
    ExitCode.INTERRUPTED,
    ExitCode.INTERNAL,
    ExitCode.NOTHING,
    ExitCode.UNAVAILABLE,
    ExitCode.FAIL,
    ExitCode.INCONCLUSIVE,
    ExitCode.PASS,
]


@given(
    ending=st.sampled_from(Ending),
    planned=st.booleans(),
    answered=st.booleans(),
    broken=st.booleans(),
    delivered=st.booleans(),
    unwritten=st.booleans(),
)
def test_the_gravest_of_all_that_happened_decides(
    ending: Ending, planned: bool, answered: bool, broken: bool, delivered: bool, unwritten: bool
) -> None:
    happened = {ENDING_CODES[ending]}
    if planned:
        failed = 1 if broken else 0
        status = {200: 100} if answered else {}
        summary = run(
            succeeded=100 - failed, failed=failed, status=status, ending=ending, delivered=1.0 if delivered else 0.5
        )
        happened |= {ExitCode.FAIL} if broken else set()
        happened |= set() if answered else {ExitCode.UNAVAILABLE}
        happened |= set() if delivered else {ExitCode.INCONCLUSIVE}
    else:
        summary = run(succeeded=0, status={}, ending=ending)
        happened.add(ExitCode.NOTHING)
    if unwritten:
        happened.add(ExitCode.INCONCLUSIVE)
    verdict = judge(summary, [parse_threshold("failed <= 0%")], unwritten_reports=("x",) if unwritten else ())
    assert verdict.exit_code == min(happened, key=PRECEDENCE.index)


@given(
    succeeded=st.integers(0, 200),
    failed=st.integers(0, 3),
    unsent=st.integers(0, 3),
    lost=st.integers(0, 2),
    p95=st.floats(0, 400),
    count=st.integers(0, 200),
    lag=st.floats(0, 20),
    delivered=st.floats(0, 1),
    error=st.sampled_from([0.0, 0.001]),
    ending=st.sampled_from(Ending),
    thresholds=st.lists(st.sampled_from(["failed <= 1%", "unsent <= 1%", "p95 < 200ms", "p99.9 < 1s", "rate > 1/s"])),
)
def test_a_pass_promises_that_all_held_and_no_request_is_missing(
    succeeded: int,
    failed: int,
    unsent: int,
    lost: int,
    p95: float,
    count: int,
    lag: float,
    delivered: float,
    error: float,
    ending: Ending,
    thresholds: list[str],
) -> None:
    latency = spread(count, p95, error) if count else Spread()
    summary = run(
        succeeded=succeeded,
        failed=failed,
        unsent=unsent,
        latency=latency,
        lag_p99_ms=lag,
        delivered=delivered,
        ending=ending,
    )
    total = replace(summary.total, planned=summary.total.planned + lost)
    verdict = judge(replace(summary, total=total), [parse_threshold(text) for text in thresholds])
    passed = verdict.result is Result.PASS
    assert passed is (verdict.exit_code == ExitCode.PASS) is (not verdict.reasons)
    if passed:
        assert all(judgement.status is Status.PASS for judgement in verdict.judgements)
        assert total.planned == total.succeeded + total.failed + total.unsent > 0
        assert ending is Ending.COMPLETE
        assert delivered >= 0.9
    assert [j.threshold.expression for j in verdict.judgements] == thresholds
    assert all((judgement.observed is None) is (judgement.status is Status.NO_DATA) for judgement in verdict.judgements)


def test_strict_makes_an_undecided_run_fail_and_nothing_else() -> None:
    undecided = run(delivered=0.5)
    assert judge(undecided, []).result is Result.INCONCLUSIVE
    strict = judge(undecided, [], strict=True)
    assert (strict.result, strict.exit_code, strict.reasons) == (
        Result.FAIL,
        ExitCode.FAIL,
        judge(undecided, []).reasons,
    )
    for other in (GOOD, run(ending=Ending.INTERRUPTED), run(succeeded=0, status={}, failed=3, faults={"connect": 3})):
        assert judge(other, [], strict=True) == judge(other, [])


def test_a_gated_percentile_is_shown_with_its_interval_and_judged_without() -> None:
    samples = tuple((at * 1_000_000, 1) for at in range(1, 1201))
    latency = replace(spread(p95=1140.0), histogram=samples)
    [judgement] = judge(run(latency=latency), [parse_threshold("p95 < 1145ms")]).judgements
    assert judgement.status is Status.PASS
    assert judgement.interval is not None
    low, high = judgement.interval
    assert 1110 < low < 1140 < 1145 < high < 1165


QUEUE = ProbeFigures("json", 0.0, SeriesFigures(0, 90, 240, 3), readings=20)
SILENT = ProbeFigures("json", errors=3, causes=(Cause("connect: connection refused", 3),))


@pytest.mark.parametrize(
    ("probe", "threshold", "result", "reason"),
    [
        (QUEUE, "probe.queue.max <= 240", Result.PASS, None),
        (QUEUE, "probe.queue.max <= 200", Result.FAIL, "observed 240"),
        (replace(QUEUE, recovery_s=12.0, watched_s=12.0), "probe.queue.recovery < 60s", Result.PASS, None),
        (
            replace(QUEUE, recovery_s=61.0, watched_s=61.0),
            "probe.queue.recovery < 60s",
            Result.FAIL,
            "observed 1 m 01 s",
        ),
        (replace(QUEUE, watched_s=60.1), "probe.queue.recovery < 60s", Result.FAIL, "observed "),
        (replace(QUEUE, watched_s=60.1), "probe.queue.recovery > 10s", Result.PASS, None),
        (
            replace(QUEUE, watched_s=5.0),
            "probe.queue.recovery < 60s",
            Result.INCONCLUSIVE,
            "no data: not back when it was last read, 5.0 s after the last answer",
        ),
        (
            replace(QUEUE, watched_s=5.0),
            "probe.queue.recovery > 60s",
            Result.INCONCLUSIVE,
            "no data: not back when it was last read, 5.0 s after the last answer",
        ),
        (QUEUE, "probe.queue.recovery < 60s", Result.INCONCLUSIVE, "no data: nothing was told after the last answer"),
        (replace(QUEUE, required=True), "probe.queue.recovery < 60s", Result.FAIL, "no data: nothing was told"),
        (SILENT, "probe.queue.max <= 200", Result.INCONCLUSIVE, "no data: connect: connection refused (3 of 3"),
        (replace(SILENT, required=True), "probe.queue.max <= 200", Result.FAIL, "no data: connect: connection refused"),
        (SILENT, "probe.queue.errors == 0", Result.FAIL, "observed 3"),
    ],
)
def test_a_probe_is_judged_by_what_it_told_and_by_nothing_that_nobody_saw(
    probe: ProbeFigures, threshold: str, result: Result, reason: str | None
) -> None:
    verdict = verdict_on(replace(GOOD, probes={"queue": probe}), threshold)
    assert verdict.result is result
    assert (verdict.reasons == ()) if reason is None else verdict.reasons[0].startswith(f"{threshold}: {reason}")
