"""The summary as Markdown: for job summaries and comments on merge requests, GitHub's and GitLab's. Knows no files.

Text from servers and manifests is inert and escaped, so that it neither formats nor mentions, links or breaks a table.
"""

from collections.abc import Iterator, Sequence

from burstctl.gate import Judgement, Result, Status, Verdict
from burstctl.report.words.account import account, generator, pace
from burstctl.report.words.inert import disarm_lines
from burstctl.report.words.markdown import escape, table
from burstctl.report.words.probe import format_value, recovery
from burstctl.report.words.times import DISTRIBUTIONS, FIGURES
from burstctl.summary import Cause, Spread, Summary
from burstctl.units import format_ms

NAME = "markdown"

_MOST_NAMES = 50
_MOST_CAUSES = 10
_MARKS = {Result.PASS: "✅", Result.INCONCLUSIVE: "⚠️", Result.INTERRUPTED: "⚠️", Result.NOTHING: "⚠️"}
_STATUS_MARKS = {Status.PASS: "✅ held", Status.FAIL: "❌ broken", Status.NO_DATA: "⚠️ no data"}


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the summary; at most 50 request names and 10 causes of failure."""
    name = f" {escape(summary.name)}" if summary.name else ""
    head = f"### {_MARKS.get(verdict.result, '❌')} burstctl{name}: {verdict.result}"
    lines = [*map(escape, verdict.reasons), *([escape(account(summary))] if summary.total.planned else [])]
    parts = [head, "  \n".join(lines), *_sections(summary, verdict)]
    return disarm_lines("\n\n".join(part for part in parts if part) + "\n")


def _sections(summary: Summary, verdict: Verdict) -> Iterator[str]:
    total = summary.total
    if verdict.warnings:
        yield "\n".join(f"> ⚠️ {escape(warning)}" for warning in verdict.warnings)
    if verdict.judgements and total.planned:
        yield table(("threshold", "", "observed"), map(_threshold, verdict.judgements), texts=("",))
    if total.attempts:
        yield table(("ms", *FIGURES, "count", ""), _times(summary), texts=("",))
    if len(summary.requests) > 1 and total.planned:
        yield from _requests(summary)
    if total.causes:
        yield f"**{total.failed:,} failed**\n\n" + _causes(total.causes)
    if total.retry_causes:
        yield f"**{total.retries:,} tried again**\n\n" + _causes(total.retry_causes)
    if summary.probes:
        yield table(("probe", "baseline", "mean", "max", "last", "recovery"), _probes(summary))
    if total.attempts:
        yield f"{escape(pace(summary))}  \n{escape(f'burstctl itself: {generator(summary)}')}"
    if summary.notes:
        yield "\n".join(f"- {escape(note)}" for note in summary.notes)


def _threshold(judgement: Judgement) -> Sequence[str]:
    observed = "–" if judgement.observed is None else judgement.threshold.show(judgement.observed)
    return escape(judgement.threshold.label), _STATUS_MARKS[judgement.status], escape(observed)


def _times(summary: Summary) -> Iterator[Sequence[str]]:
    for name, meaning in DISTRIBUTIONS.items():
        spread: Spread = getattr(summary.total, f"{name}_ms")
        if spread.count:
            yield name, *(format_ms(getattr(spread, time)) for time in FIGURES), f"{spread.count:,}", meaning


def _requests(summary: Summary) -> Iterator[str]:
    # Where not all can be shown, those that failed are.
    ordered = list(summary.requests.items())
    if len(ordered) > _MOST_NAMES:
        ordered.sort(key=lambda item: -item[1].failed)
    rows = (
        (
            escape(name),
            *(f"{n:,}" for n in (one.planned, one.succeeded, one.failed, one.unsent)),
            *map(format_ms, (one.latency_ms.p50, one.latency_ms.p95, one.latency_ms.p99)),
        )
        for name, one in ordered[:_MOST_NAMES]
    )
    yield table(("request", "planned", "succeeded", "failed", "unsent", "p50 ms", "p95 ms", "p99 ms"), rows)
    if len(ordered) > _MOST_NAMES:
        yield f"and {len(ordered) - _MOST_NAMES:,} more names"


def _causes(causes: Sequence[Cause]) -> str:
    rows = ((f"{cause.count:,}", escape(cause.text), escape(cause.example)) for cause in causes[:_MOST_CAUSES])
    shown = table(("count", "cause", "example"), rows, texts=("cause", "example"))
    return shown if len(causes) <= _MOST_CAUSES else f"{shown}\n\nand {len(causes) - _MOST_CAUSES:,} more causes"


def _probes(summary: Summary) -> Iterator[Sequence[str]]:
    for name, probe in summary.probes.items():
        figures = (probe.baseline, probe.main.mean, probe.main.max, probe.main.last)
        yield escape(name), *map(format_value, figures), recovery(probe)
