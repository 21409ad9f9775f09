"""Whatever happened in a run, every report that tells a verdict tells the one that the process exits by."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping
from io import StringIO

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from burstctl.exit_code import ExitCode
from burstctl.gate import Verdict, judge
from burstctl.report.registry import load, names
from burstctl.result.read import read_result
from burstctl.summary import Ending, Figures, Generator, Rate, Shard, Spread, Summary
from burstctl.threshold import parse_threshold

Told = tuple[str, int | None]
"""Verdict and exit code; None where a format tells none."""

LEVELS = {"pass": "notice", "inconclusive": "warning"}


def _json(text: str) -> Told:
    document = json.loads(text)
    assert (document["verdict"] == "pass") is (document["reasons"] == [])
    return document["verdict"], document["exit_code"]


def _junit(text: str) -> Told:
    root = ET.fromstring(text)
    said = {one.get("name"): one.get("value") or "" for one in root.iter("property")}
    outcome = root.find(".//testcase[@name='verdict']/*[@message]")
    assert (outcome is None) is (said["verdict"] == "pass")
    return said["verdict"], int(said["exit_code"])


def _gitlab_dotenv(text: str) -> Told:
    said = dict(line.split("=", 1) for line in text.splitlines())
    return said["BURSTCTL_VERDICT"], int(said["BURSTCTL_EXIT_CODE"])


def _openmetrics(text: str) -> Told:
    read: Callable[[str], Iterable[Metric]] = text_string_to_metric_families
    families = {family.name: family.samples for family in read(text)}
    [verdict] = [sample.labels["verdict"] for sample in families["burstctl_verdict"] if sample.value == 1]
    return verdict, int(families["burstctl_exit_code"][0].value)


def _csv(text: str) -> Told:
    return next(csv.DictReader(StringIO(text)))["verdict"], None


def _github(text: str) -> Told:
    found = re.match(r"::(?P<level>\w+) title=burstctl%3A (?P<verdict>\w+)", text)
    assert found is not None
    assert found["level"] == LEVELS.get(found["verdict"], "error")
    return found["verdict"], None


def _markdown(text: str) -> Told:
    return text.split("\n", 1)[0].rpartition(": ")[2], None


def _terminal(text: str) -> Told:
    return text.split("  ", 1)[0].lower(), None


def _html(text: str) -> Told:
    verdict, code = re.search(r"<h1>(\w+)</h1>", text), re.search(r"<p[^>]*>exit code (\d+) ", text)
    assert verdict is not None
    assert code is not None
    return verdict.group(1).lower(), int(code.group(1))


READERS: Mapping[str, Callable[[str], Told]] = {
    "json": _json,
    "junit": _junit,
    "gitlab-dotenv": _gitlab_dotenv,
    "openmetrics": _openmetrics,
    "csv": _csv,
    "github": _github,
    "markdown": _markdown,
    "terminal": _terminal,
    "html": _html,
}
WITHOUT_VERDICT = {"hdr", "k6-summary"}
"""Formats of other tools, which have no place for one."""

SHARES = st.floats(0, 1)
TIMES = st.floats(0, 1000)


@st.composite
def runs(draw: st.DrawFn) -> tuple[Summary, Verdict]:
    """Make up a run, likely or not, and judge it."""
    succeeded, failed, unsent, lost = (draw(st.integers(0, most)) for most in (1200, 3, 3, 1))
    ms, error = draw(TIMES), draw(st.sampled_from([0.0, 0.001]))
    spread = Spread(succeeded, ms, ms, ms, ms, ms, ms, ms, ms, ms, error)
    answered = draw(st.booleans())
    total = Figures(
        succeeded + failed + unsent + lost,
        succeeded,
        failed,
        unsent,
        attempts=succeeded + failed,
        latency_ms=spread if succeeded else Spread(),
        status={200: succeeded, 500: failed} if answered else {},
        faults={} if answered else {"connect": succeeded + failed},
    )
    lag = Spread(succeeded + failed, p50=0.1, p99=draw(TIMES), p999=draw(TIMES), max=draw(TIMES))
    summary = Summary(
        draw(st.sampled_from(["", "nightly"])),
        "2025-01-31T03:00:00.000+00:00",
        draw(TIMES),
        total,
        {"a": total},
        Rate(300.0, draw(st.one_of(st.none(), TIMES))),
        generator=Generator(lag, draw(SHARES), draw(SHARES), lost_s=draw(SHARES)),
        ending=draw(st.sampled_from(Ending)),
        shard=Shard(1, draw(st.integers(1, 3))),
        missing=draw(st.sampled_from([(), ("the result of job 2 of 3 is missing",)])),
    )
    gates = ["failed <= 0%", "unsent <= 1%", "p95 < 200ms", "p99.9 < 1s", "max < 500ms", "rate > 1/s", "a: p50 < 1s"]
    thresholds = [parse_threshold(text) for text in draw(st.lists(st.sampled_from(gates)))]
    unwritten = draw(st.sampled_from([(), ("json=out.json: disk full",)]))
    return summary, judge(summary, thresholds, unwritten_reports=unwritten, strict=draw(st.booleans()))


def test_every_format_is_known_to_tell_a_verdict_or_not() -> None:
    assert set(names()) == READERS.keys() | WITHOUT_VERDICT


@settings(max_examples=120, deadline=None)
@given(runs())
def test_reports_and_exit_code_are_one_verdict(run: tuple[Summary, Verdict]) -> None:
    summary, verdict = run
    for name, read in READERS.items():
        word, code = read(load(name).render(summary, verdict))
        assert (name, word) == (name, verdict.result)
        assert code in (None, verdict.exit_code), name
    alike = {ExitCode.TERMINATED: "INTERRUPTED"}
    assert alike.get(verdict.exit_code, verdict.exit_code.name) == verdict.result.upper()


@settings(max_examples=60, deadline=None)
@given(runs())
def test_a_saved_verdict_is_read_back_as_it_was_given(run: tuple[Summary, Verdict]) -> None:
    summary, verdict = run
    total = summary.total
    assume(total.planned == total.succeeded + total.failed + total.unsent)  # a report that lost count is refused
    again = read_result(load("json").render(summary, verdict).encode(), "r.json").verdict
    assert (again.result, again.exit_code, again.reasons) == (verdict.result, verdict.exit_code, verdict.reasons)
    assert [one.status for one in again.judgements] == [one.status for one in verdict.judgements]
