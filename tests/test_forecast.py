"""What a plan will take is told before it is sent: time, requests in flight, and what can't hold."""

from dataclasses import replace
from typing import Any

import pytest

from burstctl.forecast import Seen, forecast, format_bytes
from burstctl.plan import Plan, RateLimit, Retry, Target
from burstctl.threshold import parse_threshold


def plan(count: int = 1200, rate_per_s: float = 300.0, *thresholds: str, **more: Any) -> Plan:
    limit = RateLimit(rate_per_s, **more.pop("limit", {}))
    return Plan(
        Target("http://127.0.0.1:9"),
        limit,
        Retry(frozenset(), frozenset()),
        {"a": count},
        lambda: iter(()),
        tuple(map(parse_threshold, thresholds)),
        **more,
    )


def look(given: Plan, **seen: Any) -> Any:
    return forecast(given, given, Seen(**seen))


def test_the_ceiling_bounds_the_time_and_littles_law_the_requests_in_flight() -> None:
    ahead = look(plan(), latency_s={"a": 0.05})
    assert ahead.least_s == pytest.approx(1199 / 300)
    assert ahead.in_flight == pytest.approx(15)
    assert ahead.warnings == ()


def test_without_an_answer_the_stated_latency_counts_or_none() -> None:
    assert look(plan()).in_flight is None
    assert look(plan(limit={"base_latency_s": 0.1})).in_flight == pytest.approx(30)


def test_latencies_weigh_as_often_as_they_come() -> None:
    two = replace(plan(), counts={"a": 300, "b": 100, "c": 5})
    assert look(two, latency_s={"a": 0.1, "b": 0.5}).in_flight == pytest.approx(300 * 0.2)


def test_a_window_that_is_too_small_for_the_rate_holds_it_down() -> None:
    ahead = look(plan(limit={"max_in_flight": 10}), latency_s={"a": 0.1})
    assert ahead.least_s == pytest.approx(12)
    assert ahead.warnings == ("300/s would take 30 requests in flight: max_in_flight 10 holds the rate down",)


@pytest.mark.parametrize(("deadline_s", "warned"), [(3.9, True), (4.1, False)])
def test_a_deadline_is_held_against_the_least_time(deadline_s: float, warned: bool) -> None:
    warnings = look(plan(deadline_s=deadline_s)).warnings
    assert bool(warnings) is warned
    assert not warned or warnings[0] == "the deadline of 3.9 s can't hold: the run takes 4.0 s at the least"


@pytest.mark.parametrize(("announced_per_s", "warned"), [(299.0, True), (300.0, False), (None, False)])
def test_an_announced_limit_below_the_whole_ceiling_is_named(announced_per_s: float | None, warned: bool) -> None:
    whole = plan()
    own = replace(whole, rate_limit=replace(whole.rate_limit, rate_per_s=100.0))
    warnings = forecast(whole, own, Seen(announced_per_s=announced_per_s)).warnings
    assert warnings == (("the ceiling of 300/s is above the 299/s that the endpoint announces",) if warned else ())


def test_uploads_are_warned_of_by_their_sum_or_their_rate() -> None:
    assert look(plan(10, 1.0), body_bytes={"a": 99e6}).warnings[0] == (
        "a: 10 × 99 MB are 990 MB to send, up to 99 MB per second"
    )
    assert look(plan(1000, 1.0), body_bytes={"a": 1e6}).warnings[0].startswith("a: 1,000 × 1 MB are 1 GB")
    assert look(plan(1000, 10.0), body_bytes={"a": 1e5}).warnings == ()


def test_thresholds_that_can_not_hold_are_named() -> None:
    given = plan(50, 300.0, "p99 < 1s", "p95 < 100ms", "a: p50 < 300ms", "failed <= 0%", "ttfb.p50 < 1ms")
    assert look(given, latency_s={"a": 0.2}).warnings == (
        "p99 < 1s: needs 100 samples, and 50 requests are planned",
        "p95 < 100ms: a request alone took 200 ms",
    )


def test_an_empty_share_is_named_and_takes_no_time() -> None:
    whole = plan(2)
    ahead = forecast(whole, replace(whole, counts={"a": 0}), Seen())
    assert ahead.warnings == ("this job's share of the plan is empty: its run would do nothing",)
    assert ahead.least_s == 0


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (2e9, "2 GB"), (5e12, "5 TB")]
)
def test_sizes_read_well(size: float, text: str) -> None:
    assert format_bytes(size) == text
