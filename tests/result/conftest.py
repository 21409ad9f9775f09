"""Results as they are saved: made from samples, written by the json report, read back."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from burstctl.gate import judge
from burstctl.record.distribution import Distribution
from burstctl.report import json as json_report
from burstctl.result.read import Saved, read_result
from burstctl.summary import Figures, Generator, InFlight, Rate, Second, Shard, Spread, Summary
from burstctl.threshold import parse_threshold

Make = Callable[..., Saved]


def spread(values_ms: Sequence[float]) -> Spread:
    distribution = Distribution()
    for value in values_ms:
        distribution.add(value)
    return distribution.spread()


def summary(values_ms: Sequence[float], *, failed: int = 0, index: int = 1, total: int = 1, at_s: int = 0) -> Summary:
    succeeded = len(values_ms)
    figures = Figures(
        succeeded + failed,
        succeeded,
        failed,
        attempts=succeeded + failed,
        latency_ms=spread(values_ms),
        response_ms=spread([value * 2 for value in values_ms]),
        wait_ms=spread(values_ms),
        ttfb_ms=spread(values_ms),
        status={200: succeeded, **({500: failed} if failed else {})},
    )
    return Summary(
        "smoke",
        f"2025-01-31T03:00:{at_s:02d}.000+00:00",
        4.0,
        figures,
        {"predict": figures},
        Rate(300.0 / total, (succeeded + failed - 1) / 3.99, 100, 0.001, 3.991),
        InFlight(10, 12.5),
        Generator(spread([0.1] * succeeded), 0.1, 1.0),
        tuple(Second(t, 10, 10, 0, 0, 20.0 + index, 100.0, 12.5, 3) for t in range(4)),
        {"rate_limit": {"rate_per_s": 300.0}, "requests": [{"name": "predict", "planned": succeeded + failed}]},
        shard=Shard(index, total),
    )


@pytest.fixture
def make() -> Make:
    """Make a saved result of a summary, or of samples; `change` replaces parts of the summary."""

    def saved(
        values_ms: Sequence[float] | None = None,
        *,
        file: str = "a.json",
        thresholds: Sequence[str] = ("failed <= 0%", "p95 < 200ms"),
        change: dict[str, object] | None = None,
        failed: int = 0,
        index: int = 1,
        total: int = 1,
        at_s: int = 0,
    ) -> Saved:
        rng = random.Random(index)
        values = [rng.lognormvariate(3.5, 0.5) for _ in range(400)] if values_ms is None else values_ms
        run = summary(values, failed=failed, index=index, total=total, at_s=at_s)
        run = replace(run, **(change or {}))  # type: ignore[arg-type]
        verdict = judge(run, [parse_threshold(text) for text in thresholds])
        return read_result(json_report.render(run, verdict).encode(), file)

    return saved
