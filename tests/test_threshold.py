"""What may be written as a threshold, and which figure of a run each one reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.summary import Figures, Rate, Spread, Summary
from burstctl.threshold import OPERATORS, Threshold, observe, parse_threshold

FIGURES = Figures(
    planned=10,
    succeeded=6,
    failed=2,
    unsent=2,
    attempts=20,
    retries=12,
    latency_ms=Spread(6, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, relative_error=0.001),
    wait_ms=Spread(8, p95=60.0),
    status={200: 6, 429: 9, 503: 1},
    faults={"connect": 3, "timeout": 1},
)
RUN = Summary("", "", 12.5, FIGURES, {"predict": Figures(planned=4, failed=1)}, Rate(300.0, 299.5, 300))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("failed <= 0%", Threshold("failed <= 0%", "failed", "<=", 0.0)),
        ("failed<=.5%", Threshold("failed <= .5%", "failed", "<=", 0.005)),
        ("unsent == 0.25", Threshold("unsent == 0.25", "unsent", "==", 0.25)),
        ("p95 < 200ms", Threshold("p95 < 200ms", "p95", "<", 200.0)),
        ("p99.9 < 1.5s", Threshold("p99.9 < 1.5s", "p99.9", "<", 1500.0)),
        ("response.p95 < 1m", Threshold("response.p95 < 1m", "response.p95", "<", 60_000.0)),
        ("rate > 250/s", Threshold("rate > 250/s", "rate", ">", 250.0)),
        ("duration < 10m", Threshold("duration < 10m", "duration", "<", 600.0)),
        ("status.429 <= 1%", Threshold("status.429 <= 1%", "status.429", "<=", 0.01)),
        ("status.5xx <= 1%", Threshold("status.5xx <= 1%", "status.5xx", "<=", 0.01)),
        ("attempts_per_request < 1.2", Threshold("attempts_per_request < 1.2", "attempts_per_request", "<", 1.2)),
        ("golden-set: p99 < 500ms", Threshold("p99 < 500ms", "p99", "<", 500.0, "golden-set")),
        ("a:b: p99 < 500ms", Threshold("p99 < 500ms", "p99", "<", 500.0, "a:b")),
    ],
)
def test_reads_what_the_manifest_and_the_command_line_may_say(text: str, expected: Threshold) -> None:
    assert parse_threshold(text) == expected


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("p95 < 200", "unit"),
        ("p95 = 200ms", "operator ="),
        ("p95 != 200ms", "operator !="),
        ("p94 < 200ms", "did you mean p9"),
        ("latencyy.p95 < 200ms", "unknown metric"),
        ("failed < 101%", "share"),
        ("failed < -1%", "share"),
        ("status.700 < 1%", "unknown metric"),
        ("predict: rate > 3/s", "whole run"),
        ("p95", "METRIC OPERATOR LIMIT"),
        ("attempts_per_request < nan", "number"),
        ("", "METRIC OPERATOR LIMIT"),
    ],
)
def test_says_what_was_expected_instead(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_threshold(text)


@pytest.mark.parametrize(
    ("text", "value", "samples", "needed"),
    [
        ("failed <= 0%", 0.2, 10, 1),
        ("unsent <= 0%", 0.2, 10, 1),
        ("status.429 <= 0%", 0.45, 20, 1),
        ("status.2xx <= 0%", 0.3, 20, 1),
        ("fault <= 0%", 0.2, 20, 1),
        ("attempts_per_request < 2", 2.5, 8, 1),
        ("rate > 1/s", 299.5, 20, 2),
        ("duration < 1s", 12.5, 20, 1),
        ("p50 < 1ms", 3.0, 6, 1),
        ("p90 < 1ms", 5.0, 6, 10),
        ("latency.p95 < 1ms", 6.0, 6, 20),
        ("p99 < 1ms", 7.0, 6, 100),
        ("p99.9 < 1ms", 8.0, 6, 1000),
        ("mean < 1ms", 2.0, 6, 1),
        ("wait.p95 < 1ms", 60.0, 8, 20),
        ("ttfb.max < 1ms", None, 0, 1),
        ("predict: failed <= 0%", 0.25, 4, 1),
        ("nobody: p95 < 1ms", None, 0, 20),
    ],
)
def test_reads_its_figure_and_how_many_samples_stand_behind_it(
    text: str, value: float | None, samples: int, needed: int
) -> None:
    seen = observe(parse_threshold(text), RUN)
    assert (seen.value, seen.samples, seen.needed) == (value, samples, needed)


def test_only_percentiles_are_inexact() -> None:
    errors = {
        metric: observe(parse_threshold(f"{metric} < 1ms"), RUN).relative_error for metric in ("p95", "mean", "max")
    }
    assert errors == {"p95": 0.001, "mean": 0.0, "max": 0.0}


@given(
    metric=st.sampled_from(["p95", "failed", "rate", "duration", "attempts_per_request"]),
    sign=st.sampled_from(sorted(OPERATORS)),
    limit=st.floats(0.001, 1, allow_subnormal=False),
    distance=st.floats(-0.01, 0.01).filter(lambda distance: abs(distance) > 1e-6),
)
def test_an_observed_value_never_reads_like_the_limit_it_differs_from(
    metric: str, sign: str, limit: float, distance: float
) -> None:
    threshold = Threshold("", metric, sign, limit)
    assert threshold.show(limit * (1 + distance)) != threshold.show(limit)
