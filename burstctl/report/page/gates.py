"""The thresholds with what was observed, and what failed requests failed of. Weighs nothing itself."""

from collections.abc import Iterator, Sequence

from burstctl.gate import Judgement, Result, Status
from burstctl.report.page.markup import Child, Markup, cut, tag
from burstctl.report.page.table import Row, and_more, table
from burstctl.summary import Cause
from burstctl.units import format_ms

_MOST_THRESHOLDS = 200
_MOST_CAUSES = 20
_LABEL_CHARS = 160
_EXAMPLE_CHARS = 300
_MARKS = {Status.PASS: ("✓ held", "good"), Status.FAIL: ("✗ broken", "bad"), Status.NO_DATA: ("? no data", "doubt")}


def threshold_table(judgements: Sequence[Judgement]) -> Iterator[Markup]:
    """Hold each threshold against the run; where not all find room, those that did not pass do."""
    ordered = sorted(judgements, key=lambda one: one.result is Result.PASS) if _too_many(judgements) else judgements
    headings = ("threshold", "status", "observed", "allowed", "95 % interval")
    yield table("Thresholds", headings, map(_judged, ordered[:_MOST_THRESHOLDS]), texts=("status",), fit=True)
    yield and_more(len(judgements) - _MOST_THRESHOLDS, "thresholds")


def cause_table(causes: Sequence[Cause], label: str) -> Iterator[Markup]:
    """List what went wrong, the most frequent first, with one server's words for each."""
    rows = (Row(f"{one.count:,}", (tag("bdi", cut(one.text, _LABEL_CHARS)), _example(one))) for one in causes)
    shown = list(rows)[:_MOST_CAUSES]
    yield table(label, ("count", "cause", "example"), shown, texts=("cause", "example"), fit=True)
    yield and_more(len(causes) - _MOST_CAUSES, "causes")


def _too_many(judgements: Sequence[Judgement]) -> bool:
    return len(judgements) > _MOST_THRESHOLDS


def _judged(judgement: Judgement) -> Row:
    threshold = judgement.threshold
    word, kind = _MARKS[judgement.status]
    if judgement.result is Result.INCONCLUSIVE:
        word, kind = (word, "doubt") if judgement.status is Status.NO_DATA else ("? too near to tell", "doubt")
    between = "" if judgement.interval is None else "{}–{} ms".format(*map(format_ms, judgement.interval))
    observed = "–" if judgement.observed is None else threshold.show(judgement.observed)
    allowed = f"{threshold.operator} {threshold.show(threshold.limit)}"
    name = tag("bdi", cut(threshold.label, _LABEL_CHARS))
    return Row(name, (tag("span", word, class_=f"mark {kind}"), observed, allowed, between), kind)


def _example(cause: Cause) -> Child:
    return tag("code", cut(cause.example, _EXAMPLE_CHARS)) if cause.example else ""
