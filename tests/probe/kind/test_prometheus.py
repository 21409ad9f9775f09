"""A metric is read from the official client's own server, and from servers that send everything but metrics."""

import contextlib
import gzip
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Summary, start_http_server

from burstctl.probe.probe import MAIN, ProbeError, Reading

Read = Callable[..., list[Reading]]
Ask = Callable[..., list[float | str]]

GAUGE = "vllm:num_requests_waiting"


@contextlib.contextmanager
def served(registered: CollectorRegistry) -> Iterator[str]:
    server, thread = start_http_server(0, "127.0.0.1", registry=registered)
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Serve what two engines tell, by the official client."""
    registered = CollectorRegistry()
    gauge = Gauge(GAUGE, "Waiting", ["engine"], registry=registered)
    gauge.labels("0").set(12)
    gauge.labels("1").set(30)
    Counter("jobs", "Jobs", registry=registered).inc(5)
    Histogram("wait_seconds", "Wait", registry=registered).observe(2.5)
    Summary("size", "Size", registry=registered).observe(7)
    Gauge("odd", "Nothing yet", registry=registered).set(float("nan"))
    Gauge("debt", "Less than nothing", registry=registered).set(-1.5e-3)
    with served(registered) as url:
        yield url


@pytest.mark.parametrize("accept", [None, "text/plain;version=0.0.4", "application/openmetrics-text;version=1.0.0"])
@pytest.mark.parametrize(
    ("keys", "value"),
    [
        ({"metric": GAUGE}, 42),
        ({"preset": "vllm"}, 42),
        ({"preset": "vllm", "over": "max"}, 30),
        ({"preset": "vllm", "over": "mean"}, 21),
        ({"preset": "vllm", "labels": {"engine": "0"}}, 12),
        ({"metric": "jobs"}, 5),
        ({"metric": "jobs_total"}, 5),
        ({"metric": "wait_seconds_sum"}, 2.5),
        ({"metric": "wait_seconds_bucket", "labels": {"le": "5.0"}}, 1),
        ({"metric": "size_count"}, 1),
        ({"metric": "debt"}, -0.0015),
    ],
)
def test_series_are_combined(read: Read, url: str, keys: dict[str, Any], value: float, accept: str | None) -> None:
    headers = {} if accept is None else {"accept": accept}
    assert read("prometheus", 2, url=url, headers=headers, **keys) == [{MAIN: value}] * 2


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"metric": "vllm:nothing"}, "metric vllm:nothing: it is not in the answer"),
        ({"preset": "vllm", "labels": {"engine": "7"}}, f"metric {GAUGE}: no series has these labels"),
        ({"metric": "wait_seconds"}, "metric wait_seconds is a histogram: name wait_seconds_sum or wait_seconds_count"),
        ({"metric": "size"}, "metric size is a summary: name size_sum or size_count"),
        (
            {"metric": "wait_seconds_bucket"},
            "metric wait_seconds_bucket has a series for each le: choose one by labels",
        ),
        ({"metric": "odd"}, "metric odd: 1 of 1 series have no finite value"),
    ],
)
def test_what_is_no_number_is_told(read: Read, url: str, keys: dict[str, Any], said: str) -> None:
    with pytest.raises(ProbeError) as told:
        read("prometheus", url=url, **keys)
    assert str(told.value) == said


def test_a_part_of_a_sum_is_not_taken_for_the_whole(ask: Ask, answering: Callable[..., Any]) -> None:
    """One of three engines that tells nothing would look like a short queue."""
    text = b'queue{e="0"} 100\nqueue{e="1"} NaN\nqueue{e="2"} many\n'
    assert ask(answering(text), "prometheus", 1, metric="queue") == [
        "metric queue: 2 of 3 series have no finite value",
    ]
    assert ask(answering(text), "prometheus", 1, metric="queue", labels={"e": "0"}) == [100]


def test_quantiles_are_not_added_up(ask: Ask, answering: Callable[..., Any]) -> None:
    text = b'wait{quantile="0.5"} 1\nwait{quantile="0.9"} 2\n'
    assert ask(answering(text), "prometheus", 1, metric="wait") == [
        "metric wait has a series for each quantile: choose one by labels",
    ]
    assert ask(answering(text), "prometheus", 1, metric="wait", labels={"quantile": "0.9"}) == [2]


def test_a_server_that_changes_its_mind(ask: Ask, answering: Callable[..., Any]) -> None:
    packed = gzip.compress(b"queue 4\n")
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    answers = (
        b"queue 3\n",
        b"<!DOCTYPE html><p>queue 9",
        b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n",
        head + packed,
        head + packed[::-1],
        b"",
        b"queue 5",
    )
    assert ask(answering(*answers), "prometheus", 7, metric="queue") == [
        3,
        "the answer is a web page, not metrics",
        "status 500",
        4,
        "decode: the body is not what its Content-Encoding says",
        "metric queue: it is not in the answer",
        5,
    ]


TOO_LARGE = "too_large: the body is larger than 8,388,608 bytes"
OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("start", "piece", "pause_s", "said"),
    [
        (OK + b"Content-Length: 104857600\r\n\r\n", b"queue 1\n" * 8192, 0, TOO_LARGE),
        (OK + b"\r\n", b"queue 1\n" * 8192, 0, TOO_LARGE),
        (OK + b"\r\n", b"q", 0.01, "TimeoutError"),
        (OK + b"X: ", b"x", 0.01, "TimeoutError"),
        (OK + b"X: ", b"x" * 65536, 0, "protocol: the answer is not valid HTTP"),
        (b"220 smtp.example.com ESMTP\r\n", b"x", 0.01, "protocol: the answer is not valid HTTP"),
    ],
)
def test_answers_without_end(
    ask: Ask, flooding: Callable[..., Any], start: bytes, piece: bytes, pause_s: float, said: str
) -> None:
    assert ask(flooding(start, piece, pause_s), "prometheus", 1, within_s=3, metric="queue") == [said]


def test_a_gzip_bomb_is_stopped_at_the_bound(ask: Ask, answering: Callable[..., Any]) -> None:
    bomb = gzip.compress(b"queue 1\n" * 2**24)
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb)
    assert ask(answering(head + bomb), "prometheus", 1, within_s=3, metric="queue") == [
        TOO_LARGE,
    ]


def test_a_metric_in_the_middle_of_a_huge_exposition_is_found(ask: Ask, answering: Callable[..., Any]) -> None:
    filler = b"".join(b'other_metric{label="%d"} 1\n' % i for i in range(100_000))
    assert ask(answering(filler + b"queue 7\n" + filler), "prometheus", 1, metric="queue") == [7]


def test_more_series_than_any_queue_has_are_not_added_up(ask: Ask, answering: Callable[..., Any]) -> None:
    text = b"".join(b'queue{label="%d"} 1\n' % i for i in range(100_000))
    assert ask(answering(text), "prometheus", 1, metric="queue") == ["metric queue has more than 10,000 series"]
