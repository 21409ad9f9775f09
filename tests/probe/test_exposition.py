"""One metric is found in any exposition, as the official parser finds it, and nothing else is."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as generate_openmetrics

from burstctl.probe.exposition import Series, find_series, matches, type_of

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
        ("vllm:num_requests_waiting", [12.0, 3.0, None, None, None]),
        ("vllm:num_requests_running", [7.0]),
        ("plain", [4.0]),
        ("counted", [5.0]),
        ("counted_total", [5.0]),
        ("absent", []),
        ("# TYPE", []),
    ],
)
def test_the_series_of_a_metric_are_found(metric: str, values: list[float | None]) -> None:
    assert [one.value for one in find_series(VLLM.encode(), metric)] == values


def test_labels_are_read_with_their_escapes() -> None:
    second = list(find_series(VLLM.encode(), "vllm:num_requests_waiting"))[1]
    assert second.labels == {"engine": "1", "model_name": 'm "x" } \\ \n'}
    assert matches(second, {"engine": "1"})
    assert not matches(second, {"engine": "1", "missing": "x"})
    assert matches(second, {"engine": "1", "missing": ""})


@given(st.dictionaries(st.text(max_size=20), st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_what_the_official_library_writes_is_read_back(values: dict[str, float]) -> None:
    registry = CollectorRegistry()
    gauge = Gauge("queue_length", "Help with\nlines", ["model"], registry=registry)
    for label, value in values.items():
        gauge.labels(label).set(value)
    for write in (generate_latest, generate_openmetrics):
        found = {one.labels["model"]: one.value for one in find_series(write(registry), "queue_length")}
        assert found == values


@given(st.text(alphabet='queue{}="\\,a1.\n #', max_size=200))
def test_no_text_breaks_it(text: str) -> None:
    for series in find_series(text.encode(), "queue"):
        assert isinstance(series, Series)
        assert series.value is None or math.isfinite(series.value)


def test_a_name_as_it_stands_goes_before_a_counter_and_a_colon_before_an_underscore() -> None:
    both = b"queue 1\nqueue_total 10\nvllm:waiting 2\nvllm_waiting 20\n"
    assert [one.value for one in find_series(both, "queue")] == [1]
    assert [one.value for one in find_series(both, "vllm:waiting")] == [2]
    assert [one.value for one in find_series(b"vllm_waiting_total 3\n", "vllm:waiting")] == [3]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("-3", -3),
        ("1e3", 1000),
        ("2.5E-1", 0.25),
        ("+.5", 0.5),
        ("5.", 5),
        ("0x10", None),
        ("1_0", None),
        ("-Inf", None),
    ],
)
def test_numbers_are_read_as_the_format_writes_them(written: str, value: float | None) -> None:
    assert [one.value for one in find_series(f"queue {written}\r\n".encode(), "queue")] == [value]


def test_the_type_of_a_family_is_told() -> None:
    text = b"# HELP wait # TYPE wait gauge\n# TYPE wait histogram\nwait_sum 3\n# TYPE waiting gauge\n"
    assert (type_of(text, "wait"), type_of(text, "waiting"), type_of(text, "x")) == ("histogram", "gauge", None)


@pytest.mark.parametrize(
    "text", ["queue " * 200_000, " " * 1_000_000 + "queue", 'queue{a="' * 100_000, "queue{" + "a" * 10**6]
)
def test_time_grows_with_the_size_of_what_a_liar_sends_and_no_faster(text: str) -> None:
    began_s = time.process_time()
    assert all(one.value is None for one in find_series(text.encode(), "queue"))
    assert time.process_time() - began_s < 1.0
