"""A saved result reads back as what it was, and anything else is refused with its place."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import pytest

from burstctl.errors import UsageError
from burstctl.gate import Verdict, judge
from burstctl.report import json as json_report
from burstctl.result.read import Saved, read_result
from burstctl.summary import Cause, Figures, ProbeFigures, Rate, SeriesFigures, Summary
from burstctl.threshold import parse_threshold

Make = Callable[..., Saved]


def written(summary: Summary, verdict: Verdict) -> str:
    return json_report.render(summary, verdict)


def test_what_was_written_is_read_and_written_the_same(make: Make) -> None:
    saved = make(failed=3, index=2, total=3)
    once = written(saved.summary, saved.verdict)
    again = read_result(once.encode(), "b.json")
    assert written(again.summary, again.verdict) == once
    assert again.verdict == saved.verdict


def test_probes_and_causes_come_back() -> None:
    queue = ProbeFigures(
        "prometheus", 1.0, SeriesFigures(0.0, 2.0, 9.0, 1.0), 3.5, 4.0, 7, 2, {"idle": SeriesFigures(max=3.0)},
        (Cause("status 500", 2),), required=True, points=((0.5, 2.0), (1.5, 9.0)),
    )  # fmt: skip
    run = Summary("", "2025-01-31T03:00:00+00:00", 1.0, Figures(0), {}, Rate(300.0), probes={"queue": queue})
    run = replace(run, missing=("the result of job 2 of 3 is missing",))
    saved = read_result(written(run, judge(run, [])).encode(), "a.json")
    assert saved.summary.probes == {"queue": queue}
    assert saved.summary.missing == run.missing


class Spoil(Protocol):
    def __call__(self, document: dict[str, object]) -> None: ...


def spoiled(make: Make, spoil: Callable[[dict[str, object]], object]) -> bytes:
    saved = make()
    document = json.loads(written(saved.summary, saved.verdict))
    spoil(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda d: d.pop("latency_ms"), "latency_ms is missing"),
        (lambda d: d.update(planned="400"), "planned: expected a count"),
        (lambda d: d.update(planned=-1), "planned: expected a count"),
        (lambda d: d.update(planned=401), "planned: it is not the sum"),
        (
            lambda d: d.update(schema="burstctl.report/2"),
            "expected the schema burstctl.report/1, found burstctl.report/2",
        ),
        (lambda d: d.update(verdict="good"), "verdict: expected one of pass, fail"),
        (lambda d: d.update(exit_code=99), "exit_code: expected an exit code"),
        (lambda d: d.update(started_at="yesterday"), "started_at: expected a time"),
        (lambda d: d.update(timeline={}), "timeline: expected a list"),
        (lambda d: d["latency_ms"].update(histogram="abc"), "latency_ms.histogram: not an HdrHistogram"),
        (lambda d: d["latency_ms"].update(count=7), "latency_ms.histogram: it does not hold 7 samples"),
        (lambda d: d["status"].update(ok=1), "status.ok: expected the number of a status"),
        (lambda d: d["thresholds"][0].update(expression="p95"), "thresholds[0].expression: expected METRIC"),
        (lambda d: d["rate"].update(ceiling=True), "rate.ceiling: expected a number"),
    ],
)
def test_a_fault_is_told_with_its_place(make: Make, spoil: Callable[[dict[str, object]], object], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_result(spoiled(make, spoil), "a.json")
    assert caught.value.message.startswith("a.json: ")
    assert said in caught.value.message


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff", b'{"a": NaN}', b"[" * 100_000, b'{"schema": 1}'])
def test_what_is_no_report_is_refused(text: bytes) -> None:
    with pytest.raises(UsageError):
        read_result(text, "a.json")


def test_the_saved_thresholds_are_those_of_the_run(make: Make) -> None:
    saved = make(thresholds=("predict: p99 < 1ms",))
    [judgement] = saved.verdict.judgements
    assert judgement.threshold == parse_threshold("predict: p99 < 1ms")
    assert judgement.interval is not None
