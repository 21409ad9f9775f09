"""The report for machines: strict, whole, and one with the verdict."""

import json
from dataclasses import replace
from typing import NoReturn

import pytest

from burstctl.gate import judge
from burstctl.hdrhistogram.counts import values
from burstctl.hdrhistogram.encoding import decode
from burstctl.report.json import render
from burstctl.report.registry import load
from burstctl.summary import Figures, Generator, ProbeFigures, Rate, Second, SeriesFigures, Spread, Summary
from burstctl.threshold import parse_threshold

COUNTS = {"planned", "succeeded", "failed", "unsent", "attempts", "retries", "status", "faults"}
DISTRIBUTIONS = {"latency_ms", "response_ms", "wait_ms", "ttfb_ms"}
WHOLE_RUN = {"schema", "verdict", "exit_code", "reasons", "started_at", "duration_s", "rate", "in_flight", "generator"}
REST = {"requests", "thresholds", "timeline", "settings", "shard"}

FIGURES = Figures(3, 2, 1, attempts=3, latency_ms=Spread(2, 1.23456, 2.0, 2.0, p999=2.5), status={503: 1, 200: 2})
SUMMARY = Summary(
    "smoke",
    "2025-01-31T03:00:00Z",
    1.5,
    FIGURES,
    {"b": FIGURES, "a": FIGURES},
    Rate(300.0),
    timeline=(Second(0, 3, 2, 1),),
)


def document(summary: Summary, *thresholds: str) -> dict[str, object]:
    def refuse(constant: str) -> NoReturn:
        raise AssertionError(f"{constant} is no JSON")

    text = render(summary, judge(summary, [parse_threshold(threshold) for threshold in thresholds]))
    assert text.endswith("}\n")
    loaded = json.loads(text, parse_constant=refuse)
    assert isinstance(loaded, dict)
    return loaded


def test_has_every_agreed_key() -> None:
    report = document(SUMMARY)
    assert report["schema"] == "burstctl.report/1"
    assert set(report) >= WHOLE_RUN | REST | COUNTS | DISTRIBUTIONS
    latency = report["latency_ms"]
    assert isinstance(latency, dict)
    assert set(latency) >= {"count", "min", "mean", "p50", "p75", "p90", "p95", "p99", "p999", "max"}
    assert (latency["min"], latency["p999"], latency["p95"]) == (1.235, 2.5, None)
    assert report["status"] == {"200": 2, "503": 1}
    assert report["rate"] == {"ceiling": 300.0, "achieved": None, "max_1s": 0, "first_s": None, "last_s": None}
    assert report["shard"] == {"index": 1, "total": 1}
    keys = ["t", "sent", "succeeded", "failed", "status_429", "p95_ms", "rate", "window", "in_flight"]
    assert report["timeline"] == [dict(zip(keys, [0, 3, 2, 1, 0, None, None, None, 0], strict=True))]


def test_each_request_name_has_the_same_figures_in_the_plans_order() -> None:
    requests = document(SUMMARY)["requests"]
    assert isinstance(requests, dict)
    assert list(requests) == ["b", "a"]
    assert set(requests["a"]) >= COUNTS | DISTRIBUTIONS


def test_carries_the_one_verdict_in_all_its_forms() -> None:
    report = document(SUMMARY, "failed <= 10%", "a: p95 < 200ms")
    assert (report["verdict"], report["exit_code"]) == ("fail", 1)
    failed, slow = report["thresholds"], report["reasons"]
    assert isinstance(failed, list)
    first = {"expression": "failed <= 10%", "request": None, "observed": 0.333333333, "allowed": 0.1, "status": "fail"}
    second = {"expression": "p95 < 200ms", "request": "a", "observed": None, "allowed": 200.0, "status": "no_data"}
    assert [{key: one[key] for key in first} for one in failed] == [first, second]
    assert isinstance(slow, list)
    assert len(slow) == 2


def test_one_failure_in_ten_million_is_not_zero() -> None:
    rare = replace(SUMMARY, total=replace(FIGURES, planned=10_000_000, succeeded=9_999_999))
    thresholds = document(rare, "failed <= 0%")["thresholds"]
    assert isinstance(thresholds, list)
    assert thresholds[0]["observed"] == 1e-7


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (float("nan"), None),
        (float("inf"), None),
        (frozenset({503, 429}), [429, 503]),
        ({1: (True, None)}, {"1": [True, None]}),
        ("\ud800 \x1b[31m ü", "? \x1b[31m ü"),
    ],
)
def test_settings_of_any_kind_stay_strict_json(value: object, written: object) -> None:
    settings = document(replace(SUMMARY, settings={"key": value}))["settings"]
    assert settings == {"key": written}


def test_figures_that_are_not_finite_are_absent() -> None:
    broken = replace(SUMMARY, generator=Generator(Spread(1, p50=float("nan")), cpu=float("inf")))
    generator = document(broken)["generator"]
    assert isinstance(generator, dict)
    assert (generator["lag_ms"]["p50"], generator["lag_ms"]["max"], generator["cpu"]) == (None, None, None)


def test_every_distribution_carries_its_samples() -> None:
    samples = tuple((at_ns, at_ns % 7 + 1) for at_ns in range(0, 3_000_000_000, 1_234_567))
    total = replace(FIGURES, latency_ms=Spread(5, 1.0, 2.0, histogram=samples))
    latency = document(replace(SUMMARY, total=total))["latency_ms"]
    assert isinstance(latency, dict)
    read = list(values(decode(latency["histogram"])))
    assert sum(n for _, n in read) == sum(n for _, n in samples)
    assert read[-1][0] == pytest.approx(samples[-1][0], rel=0.0005)


def test_tells_what_the_fleet_told() -> None:
    queue = ProbeFigures(
        "prometheus", 0.0, SeriesFigures(0.0, 12.5, 40.0, 0.0), 1.25, 1.25, 9, 1, points=((0.2, 3.0), (0.9, 40.0))
    )
    report = document(replace(SUMMARY, probes={"queue": queue}))
    probes, timeline = report["probes"], report["timeline"]
    assert isinstance(probes, dict)
    assert isinstance(timeline, list)
    keys = ("kind", "baseline", "min", "mean", "max", "last", "recovery_s", "readings", "errors")
    assert [probes["queue"][key] for key in keys] == ["prometheus", 0.0, 0.0, 12.5, 40.0, 0.0, 1.25, 9, 1]
    assert timeline[0]["probes"] == {"queue": 40.0}


def test_is_ascii_so_that_no_terminal_or_encoding_can_be_harmed() -> None:
    hostile = replace(SUMMARY, name="\x9b31m\u202e日本")
    assert render(hostile, judge(hostile, [])).isascii()


@pytest.mark.parametrize("name", ["json", "k6-summary"])
@pytest.mark.parametrize("samples", [0, 1])
@pytest.mark.parametrize("planned", [0, 1])
def test_json_is_strict_where_next_to_nothing_was_measured(name: str, samples: int, planned: int) -> None:
    spread = Spread(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, histogram=((0, 1),)) if samples else Spread()
    figures = Figures(planned, planned, attempts=planned, latency_ms=spread, ttfb_ms=spread)
    summary = Summary("", "2025-01-31T03:00:00+00:00", 0.0, figures, {"a": figures}, Rate(0.0))

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    verdict = judge(summary, [parse_threshold("p95 < 1s"), parse_threshold("attempts_per_request < 2")])
    json.loads(load(name).render(summary, verdict), parse_constant=refuse)
