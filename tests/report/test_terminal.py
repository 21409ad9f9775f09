"""The report for people: what stands first, what fits, and what can do no harm."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.gate import Verdict, judge
from burstctl.report.terminal import render
from burstctl.summary import Cause, Figures, Rate, Spread, Summary
from burstctl.threshold import parse_threshold

SGR = re.compile(r"\x1b\[([\d;]*)m")
PALETTE = {0, 1, *range(30, 38), 39, *range(90, 98)}

FIGURES = Figures(planned=1200, succeeded=1200, attempts=1200, latency_ms=Spread(1200, p95=84.0), status={200: 1200})
SUMMARY = Summary("", "2025-01-31T03:00:00Z", 4.1, FIGURES, {"predict": FIGURES}, Rate(300.0, 299.7, 300))


class Situation(Protocol):
    @property
    def summary(self) -> Summary: ...
    @property
    def verdict(self) -> Verdict: ...


def written(summary: Summary, thresholds: Sequence[str] = ("failed <= 0%",)) -> str:
    return render(summary, judge(summary, [parse_threshold(text) for text in thresholds]), width=80)


def test_the_first_line_is_the_verdict() -> None:
    assert written(SUMMARY).startswith("PASS  1,200 of 1,200 requests succeeded in 4.1 s, p95 84.0 ms\n")
    assert written(SUMMARY, ["p95 < 80ms"]).startswith("FAIL  p95 < 80ms: observed 84.0 ms\n      1,200 of 1,200 ")


@pytest.mark.parametrize("width", [80, 100, 120])
def test_every_line_fits_and_ends_without_blanks(situation: Situation, width: int) -> None:
    lines = render(situation.summary, situation.verdict, width=width).splitlines()
    assert all(len(line) <= width and line == line.rstrip() for line in lines)


def test_figures_stay_whole_where_the_terminal_is_too_narrow(situation: Situation) -> None:
    narrow = render(situation.summary, situation.verdict, width=20)
    assert narrow == render(situation.summary, situation.verdict, width=80)


def test_colour_adds_nothing_but_sixteen_colours(situation: Situation) -> None:
    plain = render(situation.summary, situation.verdict)
    coloured = render(situation.summary, situation.verdict, color=True)
    codes = {int(code or 0) for found in SGR.findall(coloured) for code in found.split(";")}
    assert codes <= PALETTE
    assert SGR.sub("", coloured).split() == plain.split()


def test_many_causes_and_names_are_counted_not_listed() -> None:
    causes = tuple(Cause(f"cause {n}", 1) for n in range(50))
    names = {f"name-{n}": replace(FIGURES, failed=int(n == 49)) for n in range(50)}
    report = written(replace(SUMMARY, total=replace(FIGURES, failed=50, causes=causes), requests=names))
    assert "and 42 more causes (42)" in report
    assert "and 30 more names (36,000)" in report
    assert "name-49 " in report


def test_remedies_are_given_where_a_fault_points_at_its_cause() -> None:
    faults = {"files": 1, "ports": 1, "dns": 1, "tls": 1}
    failed = replace(FIGURES, succeeded=1196, failed=4, faults=faults)
    report = " ".join(written(replace(SUMMARY, total=failed)).split())
    assert all(text in report for text in ("ulimit -n", "TIME_WAIT", "target.base_url", "target.tls.ca"))
    recovered = replace(FIGURES, attempts=1204, retries=4, faults=faults)
    assert "What to do" not in written(replace(SUMMARY, total=recovered))


@given(text=st.text(max_size=300), padding=st.integers(0, 100))
def test_text_of_others_is_shown_and_never_obeyed(text: str, padding: int) -> None:
    hostile = "x" * padding + text
    figures = replace(FIGURES, causes=(Cause(hostile, 1, hostile),), retry_causes=(Cause(hostile, 1),))
    summary = replace(SUMMARY, total=figures, requests={hostile: figures, "b": figures}, notes=(hostile,))
    report = written(summary)
    assert all(character.isprintable() or character == "\n" for character in report)
    assert not re.search(r"^\s*::|##\w*\[", report, re.MULTILINE)


@pytest.mark.parametrize("text", ["[red]stop[/red]", "[/]", ":smile:", "[link=http://x]y[/link]"])
def test_markup_is_just_text(text: str) -> None:
    assert text in written(replace(SUMMARY, notes=(text,)))
