"""Runs as their ends are met in pipelines: every report format is held against all of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest

from burstctl.gate import Verdict, judge
from burstctl.summary import (
    Cause,
    Ending,
    Figures,
    Generator,
    InFlight,
    Rate,
    Second,
    Shard,
    Spread,
    Summary,
)
from burstctl.threshold import parse_threshold

DEFAULTS = ("failed <= 0%", "unsent <= 0%")


@dataclass(frozen=True, slots=True)
class Situation:
    """A run with its verdict."""

    name: str
    summary: Summary
    verdict: Verdict


def spread(count: int, scale: float = 1.0) -> Spread:
    """Give a plausible distribution whose p95 is 84 ms times `scale`."""
    if not count:
        return Spread()
    figures = (31.2004, 43.04, 41.2, 47.5, 68.01, 84.0, 120.4, 151.25, 164.0)
    steps = [(0.0, figures[0]), *zip((0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0), figures[2:], strict=True)]
    histogram = tuple((round(_at(rank / count, steps) * scale * 1e6), 1) for rank in range(1, count + 1))
    least, mean, p50, p75, p90, p95, p99, p999, most = (figure * scale for figure in figures)
    return Spread(count, least, mean, p50, p75, p90, p95, p99, p999, most, histogram=histogram)


def _at(share: float, steps: Sequence[tuple[float, float]]) -> float:
    """Give the value at a share of the samples, between two known percentiles."""
    for (below, low), (above, high) in pairwise(steps):
        if share <= above:
            return low + (high - low) * (share - below) / (above - below)
    return steps[-1][1]


def passed() -> Summary:
    total = Figures(
        planned=1200,
        succeeded=1200,
        attempts=1240,
        retries=40,
        latency_ms=spread(1200),
        response_ms=spread(1200, 2.5),
        wait_ms=spread(1200, 0.4),
        ttfb_ms=spread(1200, 0.9),
        status={200: 1200, 429: 40},
        retry_causes=(Cause("status 429", 40, '{"error": "quota exceeded"}'),),
    )
    return Summary(
        name="smoke",
        started_at="2025-01-31T03:00:00.000+00:00",
        duration_s=4.1312345,
        total=total,
        requests={"predict": total},
        rate=Rate(300.0, 299.7142857, 300),
        in_flight=InFlight(23, 60.25),
        generator=Generator(Spread(1240, p50=0.2, p99=0.9, max=2.5), cpu=0.214, delivered=1.0),
        timeline=(Second(0, 300, 287, 0, 0, 84.0, 300.0, 32.0, 13), Second(1, 300, 300, 0, 40, None, 300.0, 60.25, 12)),
        settings={"rate_limit": {"rate": "300/s"}, "target": {"base_url": "http://127.0.0.1:8080"}},
        notes=("rate_limit is not set: the default of 300/s held",),
    )


def broken() -> Summary:
    slow = replace(passed().total, planned=900, succeeded=900, latency_ms=spread(900, 2.87))
    golden = Figures(
        planned=300,
        succeeded=288,
        failed=12,
        attempts=300,
        latency_ms=spread(288, 5.1),
        status={200: 300},
        causes=(Cause("json $.label is not as expected", 12, 'expected "cat", found "dog"'),),
    )
    total = replace(
        slow,
        planned=1200,
        succeeded=1188,
        failed=12,
        causes=golden.causes,
        failed_ms=spread(12),
        status={200: 1200, 429: 40},
    )
    return replace(passed(), total=total, requests={"predict": slow, "golden-set": golden})


def faulty() -> Summary:
    kinds = ("status 500", "connect: Connection refused", "timeout: no first byte in 30 s", "status 502")
    causes = tuple(
        Cause(
            kind, 40 - 10 * place, '{"error": "CUDA out of memory. Tried to allocate 2.00 GiB"}' if place == 0 else ""
        )
        for place, kind in enumerate(kinds)
    )
    more = tuple(Cause(f"json $.items[{n}].label is not as expected", 1, "expected 1, found 2") for n in range(7))
    total = Figures(
        planned=1200,
        succeeded=1093,
        failed=107,
        attempts=1500,
        retries=300,
        latency_ms=spread(1093),
        response_ms=spread(1093, 30.0),
        wait_ms=spread(1200, 9.0),
        ttfb_ms=spread(1093, 0.9),
        failed_ms=spread(107, 120.0),
        status={200: 1100, 500: 200, 502: 50, 599: 10},
        faults={"timeout": 60, "connect": 70, "ports": 10},
        causes=causes + more,
        retry_causes=(Cause("status 500", 160), Cause("connect: Connection refused", 140)),
    )
    generator = Generator(Spread(1500, p50=1.0, p99=12.3, max=80.0), cpu=0.97, delivered=0.95)
    return replace(passed(), total=total, requests={"predict": total}, generator=generator, shard=Shard(2, 3))


def unavailable() -> Summary:
    total = Figures(
        planned=1200,
        failed=3,
        unsent=1197,
        attempts=24,
        retries=21,
        wait_ms=spread(3, 0.01),
        failed_ms=spread(3, 0.02),
        faults={"connect": 24},
        causes=(Cause("connect: Connection refused", 3),),
        retry_causes=(Cause("connect: Connection refused", 21),),
    )
    return replace(
        passed(),
        total=total,
        requests={"predict": total},
        duration_s=10.02,
        rate=Rate(300.0, 2.4, 4),
        in_flight=InFlight(1, 4.0),
        timeline=(),
        ending=Ending.UNAVAILABLE,
        ending_reason="no connection to the target in 10 s",
    )


def interrupted() -> Summary:
    total = Figures(
        planned=1200,
        succeeded=871,
        failed=17,
        unsent=312,
        attempts=888,
        latency_ms=spread(871),
        response_ms=spread(871, 1.2),
        wait_ms=spread(888, 0.2),
        ttfb_ms=spread(871, 0.9),
        failed_ms=spread(17),
        status={200: 871},
        faults={"cancelled": 17},
        causes=(Cause("cancelled: the run ended first", 17),),
    )
    return replace(
        passed(),
        total=total,
        requests={"predict": total},
        ending=Ending.TERMINATED,
        ending_reason="terminated by SIGTERM",
    )


def empty() -> Summary:
    nothing = Figures(planned=0)
    return Summary("", "2025-01-31T03:00:00.000+00:00", 0.0, nothing, {}, Rate(300.0), shard=Shard(3, 3))


def unanswered() -> Summary:
    """Give a run whose every request was answered, and none well: there are no latency samples."""
    total = Figures(
        planned=3,
        failed=3,
        attempts=3,
        wait_ms=spread(3, 0.01),
        failed_ms=spread(3, 0.1),
        status={404: 3},
        causes=(Cause("status 404", 3, "<h1>Not Found</h1>"),),
    )
    return replace(passed(), total=total, requests={"predict": total}, rate=Rate(300.0, 299.0, 3), notes=())


def slow_generator() -> Summary:
    generator = Generator(Spread(1240, p50=1.0, p99=9.1, max=80.0), cpu=0.99, delivered=0.71)
    return replace(passed(), generator=generator)


def hostile() -> Summary:
    evil = (
        "\x1b[2J\x1b]0;owned\x07[red]bold[/red] :smile: \u202egnp\r\n::error file=a::pwned ##[error]x \ud800 \x9b31m<b>"
    )
    figures = replace(
        passed().total,
        succeeded=1199,
        failed=1,
        causes=(Cause(evil, 1, "x" * 71 + "::error::" + "y" * 100),),
        retry_causes=(Cause("status 429", 40, "\x1b[0Ksection_start:1:a\r\x1b[0K"),),
    )
    name = "[bold]n\x1b[31mame\n::warning::"
    return replace(
        passed(),
        name=evil,
        total=figures,
        requests={name: figures, "日本語のリクエスト": figures, "long-" * 20: figures},
        settings={"a": float("inf"), "b": (1, None, True), evil: {"c": frozenset({"x"})}},
        notes=(evil,),
    )


SITUATIONS: dict[str, tuple[Callable[[], Summary], Sequence[str]]] = {
    "pass": (passed, ("p95 < 200ms",)),
    "fail": (broken, ("p95 < 200ms", "golden-set: p99 < 500ms", "response.p99.9 < 1s")),
    "faults": (faulty, ("p95 < 200ms", "status.5xx <= 1%", "attempts_per_request < 1.5")),
    "unavailable": (unavailable, ("p95 < 200ms",)),
    "interrupted": (interrupted, ("p95 < 200ms",)),
    "nothing": (empty, ()),
    "no-samples": (unanswered, ("p95 < 200ms",)),
    "inconclusive": (slow_generator, ("p95 < 80ms", "rate > 100/s")),
    "hostile": (hostile, ("[bold]n\x1b[31mame\n::warning::: p95 < 200ms",)),
}


@pytest.fixture(params=SITUATIONS)
def situation(request: pytest.FixtureRequest) -> Situation:
    make, thresholds = SITUATIONS[request.param]
    summary = make()
    verdict = judge(summary, [parse_threshold(text) for text in (*DEFAULTS, *thresholds)])
    return Situation(request.param, summary, verdict)


@pytest.fixture
def hostile_run() -> Summary:
    return broken()
