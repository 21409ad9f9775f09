"""What each report format promises to its reader, held against that reader's own rules or parser."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import replace
from io import StringIO
from typing import Protocol

import pytest
from hdrh.histogram import HdrHistogram
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from burstctl.gate import Result, Verdict, judge
from burstctl.report.registry import load, names
from burstctl.summary import Figures, ProbeFigures, Rate, SeriesFigures, Spread, Summary
from burstctl.threshold import parse_threshold


class Situation(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def verdict(self) -> Verdict: ...


def render(name: str, situation: Situation) -> str:
    return load(name).render(situation.summary, situation.verdict)


JUNIT: Mapping[str, tuple[set[str], set[str], list[str]]] = {
    "testsuites": ({"name", "time", "tests", "failures", "disabled", "errors"}, set(), ["testsuite"]),
    "testsuite": (
        {
            "name",
            "tests",
            "failures",
            "errors",
            "time",
            "disabled",
            "skipped",
            "timestamp",
            "hostname",
            "id",
            "package",
        },
        {"name", "tests"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "properties": (set(), set(), ["property"]),
    "property": ({"name", "value"}, {"name", "value"}, []),
    "testcase": (
        {"name", "assertions", "time", "classname", "status"},
        {"name", "classname"},
        ["skipped", "error", "failure", "system-out", "system-err"],
    ),
    "error": ({"type", "message"}, set(), []),
    "failure": ({"type", "message"}, set(), []),
    "system-out": (set(), set(), []),
}
"""The Jenkins schema's rules: for each element its attributes, those of them it must have, its children in order."""


def test_junit_keeps_to_the_jenkins_schema(situation: Situation) -> None:
    root = ET.fromstring(render("junit", situation))
    assert root.tag == "testsuites"
    for element in root.iter():
        may, must, children = JUNIT[element.tag]
        assert must <= set(element.attrib) <= may
        order = [children.index(child.tag) for child in element]
        assert order == sorted(order)
    [suite] = root
    cases = suite.findall("testcase")
    assert suite.get("tests") == root.get("tests") == str(len(cases))
    assert suite.get("failures") == str(len(suite.findall(".//failure")))
    assert suite.get("errors") == str(len(suite.findall(".//error")))
    # GitLab shows the content and keeps only the first of two cases of one name.
    assert all(found.text for found in (*suite.iter("failure"), *suite.iter("error")))
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    bad = suite.find("testcase[@name='verdict']/failure") is not None
    assert bad is (situation.verdict.result is Result.FAIL)
    assert (suite.find("testcase[@name='verdict']/error") is not None) is (
        situation.verdict.result not in (Result.FAIL, Result.PASS)
    )


def test_openmetrics_parses_with_the_official_parser(situation: Situation) -> None:
    text = render("openmetrics", situation)
    families = {family.name: family for family in text_string_to_metric_families(text)}  # type: ignore[no-untyped-call]
    requests = {
        (sample.labels.get("request"), sample.labels["state"]): sample.value
        for sample in families["burstctl_requests"].samples
    }
    total = situation.summary.total
    assert requests[None, "planned"] == total.planned
    assert requests[None, "failed"] == total.failed
    [verdict] = [one.labels["verdict"] for one in families["burstctl_verdict"].samples if one.value]
    assert verdict == situation.verdict.result
    if total.latency_ms.p95 is not None:
        [p95] = [
            sample.value
            for sample in families["burstctl_latency_seconds"].samples
            if sample.labels == {"quantile": "0.95"}
        ]
        assert p95 == pytest.approx(total.latency_ms.p95 / 1000)


def test_openmetrics_tells_what_the_fleet_told() -> None:
    queue = ProbeFigures("prometheus", 1.0, SeriesFigures(0.0, 12.5, 40.0, 3.0), 2.5, 2.5, 9, 1)
    summary = Summary("", "2025-01-31T03:00:00Z", 1.0, Figures(1, 1), {}, Rate(300.0), probes={"queue": queue})
    text = load("openmetrics").render(summary, judge(summary, []))
    assert 'burstctl_probe{probe="queue",figure="max"} 40\n' in text
    assert 'burstctl_probe_recovery_seconds{probe="queue"} 2.5\n' in text


def test_the_hdr_log_decodes_to_the_same_percentiles() -> None:
    samples = tuple((1_000_000 + at * 250_000, 1) for at in range(2000))
    latency = Spread(2000, p50=samples[999][0] / 1e6, p99=samples[1979][0] / 1e6, max=501.0, histogram=samples)
    figures = Figures(2000, 2000, attempts=2000, latency_ms=latency)
    summary = Summary("", "2025-01-31T03:00:00Z", 6.7, figures, {"a": figures, "a,b c": figures}, Rate(300.0))
    text = load("hdr").render(summary, judge(summary, []))
    lines = [line for line in text.splitlines() if line.startswith("Tag=")]
    assert [line.partition(",")[0] for line in lines] == ["Tag=latency", "Tag=a.latency", "Tag=a_b_c.latency"]
    for line in lines:
        _tag, start, length, most, encoded = line.split(",")
        assert (float(start), float(length), float(most)) == (0.0, 6.7, 501.0)
        histogram = HdrHistogram.decode(encoded.encode())
        assert histogram.get_value_at_percentile(50) / 1e6 == pytest.approx(latency.p50, rel=0.005)
        assert histogram.get_value_at_percentile(99) / 1e6 == pytest.approx(latency.p99, rel=0.005)


def test_the_hdr_log_is_read_by_the_reference_reader(situation: Situation) -> None:
    text = render("hdr", situation)
    head, *rest = text.splitlines()
    assert head == "#[Histogram log format version 1.3]"
    for line in rest:
        if not line.startswith(("#", '"')):
            assert HdrHistogram.decode(line.split(",")[4].encode()).get_total_count() > 0


def test_the_k6_summary_has_what_gitlab_reads(situation: Situation) -> None:
    metrics = json.loads(render("k6-summary", situation))["metrics"]
    assert set(metrics["http_reqs"]) == {"count", "rate"}
    assert metrics["http_reqs"]["count"] == situation.summary.total.attempts
    for trend in ("http_req_duration", "http_req_waiting"):
        assert set(metrics[trend]) == {"avg", "min", "med", "max", "p(90)", "p(95)"}
    assert metrics["http_req_waiting"]["p(95)"] == pytest.approx(situation.summary.total.ttfb_ms.p95 or 0)
    for rate in ("http_req_failed", "checks"):
        passes, fails = metrics[rate]["passes"], metrics[rate]["fails"]
        assert metrics[rate]["value"] == pytest.approx(passes / (passes + fails) if passes + fails else 0, abs=1e-6)
    assert metrics["checks"]["passes"] + metrics["checks"]["fails"] == len(situation.verdict.judgements)


def test_the_dotenv_is_what_gitlab_can_parse(situation: Situation) -> None:
    text = render("gitlab-dotenv", situation)
    lines = text.splitlines()
    assert all(re.fullmatch(r"BURSTCTL_[A-Z0-9_]+=[a-z0-9.]*", line) for line in lines)
    assert len(lines) <= 20
    assert len(text) < 5000
    assert dict(line.split("=") for line in lines)["BURSTCTL_VERDICT"] == situation.verdict.result


def test_the_csv_has_the_run_and_each_request_name(situation: Situation) -> None:
    rows = list(csv.DictReader(StringIO(render("csv", situation))))
    assert len(rows) == 1 + len(situation.summary.requests)
    assert (rows[0]["request"], rows[0]["verdict"]) == ("", situation.verdict.result)
    assert int(rows[0]["failed"]) == situation.summary.total.failed
    assert all(None not in row and None not in row.values() for row in rows)


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "-1", "@sum", "::error::x"])
def test_nothing_in_the_csv_is_obeyed(name: str) -> None:
    figures = Figures(1, 1)
    summary = Summary("", "2025-01-31T03:00:00Z", 1.0, figures, {name: figures}, Rate(300.0))
    rows = list(csv.DictReader(StringIO(load("csv").render(summary, judge(summary, [])))))
    assert rows[1]["request"] == f"'{name}"


def test_github_shows_each_reason_as_one_annotation(situation: Situation) -> None:
    lines = render("github", situation).splitlines()
    assert len(lines) == max(1, len(situation.verdict.reasons)) + len(situation.verdict.warnings)
    assert all(re.fullmatch(r"::(notice|warning|error) title=[^:,]+::[^\x00-\x1f]+", line) for line in lines)


def test_github_is_not_flooded() -> None:
    summary = Summary("", "2025-01-31T03:00:00Z", 1.0, Figures(40, 40), {}, Rate(300.0))
    verdict = judge(summary, [parse_threshold(f"p95 < {limit}ms") for limit in range(1, 30)])
    lines = load("github").render(summary, verdict).splitlines()
    assert len(lines) == 10
    assert lines[-1].endswith("and 20 more reasons")


def test_a_comment_has_room_for_any_run() -> None:
    figures = Figures(9, 8, 1, attempts=9, latency_ms=Spread(8, 1.0, 1.0, 1.0, p95=1.0, p99=1.0))
    requests = {f"request number {n} with a long name that goes on {'and on ' * 30}": figures for n in range(5000)}
    summary = Summary("", "2025-01-31T03:00:00Z", 1.0, figures, requests, Rate(300.0))
    text = load("markdown").render(summary, judge(summary, []))
    assert "and 4,950 more names" in text
    assert len(text) < 60_000


EVIL = (
    "<script>alert(1)</script><img src=x onerror=y>", "]]>&lt;", "\x1b[2J\x1b]0;owned\x07", "\n::error::pwned",
    "::stop-commands::x", "##[error]x", "\x00\ufffe\ud800", "a|b`c`*d* @everyone #1 ~x~ [l](javascript:x)",
    "\x1b[0Ksection_start:1:a\r\x1b[0K", "=cmd()", "\u202egnp", "a\nFAKE=1", "\u2028x",
)  # fmt: skip


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("evil", EVIL)
def test_hostile_text_is_inert_in_every_format(name: str, evil: str, hostile_run: Summary) -> None:
    summary = replace(hostile_run, name=evil, notes=(evil,), requests={evil: hostile_run.total, "b": hostile_run.total})
    causes = tuple(replace(cause, text=evil, example=evil) for cause in hostile_run.total.causes)
    summary = replace(summary, total=replace(hostile_run.total, causes=causes), settings={evil: evil})
    verdict = judge(summary, [parse_threshold("p95 < 1ms", evil)])
    text = load(name).render(summary, replace(verdict, reasons=(*verdict.reasons, evil)))
    text.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028\ufffe\ud800]", text)
    if name != "github":
        assert not re.search(r"^[ \t]*::", text, re.MULTILINE)
    assert not re.search(r"##\[", text) or name == "openmetrics"
    if name in ("markdown", "html"):
        assert not re.search(r"<(script|img)\b", text)
    if name == "junit":
        ET.fromstring(text)
