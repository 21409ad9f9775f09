"""One metric is found in any exposition, as the official parser finds it, and nothing else is."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics

from burstctl.probe.exposition import Series, find_series, matches

VLLM = """\
# HELP vllm:num_requests_waiting Number of requests waiting to be processed.
# TYPE vllm:num_requests_waiting gauge
vllm:num_requests_waiting{engine="0",model_name="m"} 12.0
vllm:num_requests_waiting{engine="1",model_name="m \\"x\\" } \\\\ \\n"} 3.0 1700000000000
vllm:num_requests_waiting_by_reason{reason="capacity"} 99
xvllm:num_requests_waiting 99
vllm:num_requests_running 7
vllm:num_requests_waiting{engine="2"} NaN
vllm:num_requests_waiting{engine="3"} +Inf
vllm:num_requests_waiting{engine="4"} many
plain 4
counted_total 5 # {trace_id="x"} 1.0
"""


@pytest.mark.parametrize(
    ("metric", "values"),
    [
        ("vllm:num_requests_waiting", [12.0, 3.0]),
        ("vllm:num_requests_running", [7.0]),
        ("plain", [4.0]),
        ("counted", [5.0]),
        ("counted_total", [5.0]),
        ("absent", []),
        ("# TYPE", []),
    ],
)
def test_the_series_of_a_metric_are_found(metric: str, values: list[float]) -> None:
    assert [one.value for one in find_series(VLLM, metric)] == values


def test_labels_are_read_with_their_escapes() -> None:
    second = list(find_series(VLLM, "vllm:num_requests_waiting"))[1]
    assert second.labels == {"engine": "1", "model_name": 'm "x" } \\ \n'}
    assert matches(second, {"engine": "1"})
    assert not matches(second, {"engine": "1", "missing": "x"})


@given(st.dictionaries(st.text(max_size=20), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_what_the_official_library_writes_is_read_back(values: dict[str, float]) -> None:
    registry = CollectorRegistry()
    gauge = Gauge("queue_length", "Help with\nlines", ["model"], registry=registry)
    for label, value in values.items():
        gauge.labels(label).set(value)
    for write in (generate_latest, generate_openmetrics):
        found = {one.labels["model"]: one.value for one in find_series(write(registry).decode(), "queue_length")}
        assert found == values


@given(st.text(alphabet='queue{}="\\,a1.\n #', max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    for series in find_series(text, "queue"):
        assert isinstance(series, Series)
        assert math.isfinite(series.value)
