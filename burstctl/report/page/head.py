"""What a reader sees first: the verdict, why, what to do, and the run in a few figures. Weighs nothing itself."""

from collections.abc import Iterator, Sequence

from burstctl.gate import Result, Verdict
from burstctl.report.page.markup import Markup, block, cut, raw, tag
from burstctl.report.page.table import and_more
from burstctl.report.words.account import account
from burstctl.report.words.hint import hints
from burstctl.summary import Summary
from burstctl.units import format_duration, format_ms, format_rate

_MOST_LINES = 12
_NAME_CHARS = 120
_KINDS = {Result.PASS: "good", Result.INCONCLUSIVE: "doubt", Result.INTERRUPTED: "doubt", Result.NOTHING: "doubt"}


def title(summary: Summary, verdict: Verdict) -> str:
    """Name the page: verdict first, since a tab shows no more."""
    name = f" {cut(summary.name, _NAME_CHARS)}" if summary.name else ""
    return f"{verdict.result.upper()}{name} – burstctl"


def head(summary: Summary, verdict: Verdict) -> Markup:
    """Write the verdict with its reasons, remedies and warnings."""
    total = summary.total
    about = [f"exit code {int(verdict.exit_code)}", f"started {summary.started_at}"]
    if summary.shard.total > 1:
        about.append(f"job {summary.shard.index} of {summary.shard.total}")
    advice = [] if verdict.result is Result.PASS else hints(total.faults)
    return block(
        "header",
        tag("p", "burstctl", raw(" "), tag("bdi", cut(summary.name, _NAME_CHARS)), class_="name"),
        tag("h1", verdict.result.upper()),
        *_list(verdict.reasons, "reasons"),
        *([tag("p", account(summary), class_="account")] if total.planned else []),
        *([tag("h2", "What to do"), *_list(advice, "advice")] if advice else []),
        *_list(verdict.warnings, "warnings"),
        tag("p", " · ".join(about), class_="soft"),
        class_=_KINDS.get(verdict.result, "bad"),
    )


def tiles(summary: Summary) -> Markup:
    """Show the figures that a run is remembered by."""
    total, rate = summary.total, summary.rate
    achieved = "–" if rate.achieved is None else f"{rate.achieved:,.4g}/s"
    lost = ", ".join(f"{n:,} {what}" for n, what in ((total.failed, "failed"), (total.unsent, "not sent")) if n)
    first = total.attempts - total.retries
    shown = (
        ("succeeded", f"{total.succeeded:,}", f"of {total.planned:,}" + (f", {lost}" if lost else "")),
        ("p95 latency", f"{format_ms(total.latency_ms.p95)} ms", f"p50 {format_ms(total.latency_ms.p50)} ms"),
        ("achieved", achieved, f"ceiling {format_rate(rate.ceiling)}, most in any second {rate.max_1s:,}"),
        ("took", format_duration(summary.duration_s), f"{summary.in_flight.max:,} in flight at most"),
        ("retries", f"{total.retries:,}", f"{total.attempts:,} attempts at {first:,} requests"),
    )
    return block(
        "dl",
        *(tag("div", tag("dt", name), tag("dd", tag("b", value), tag("span", more))) for name, value, more in shown),
        class_="tiles",
    )


def notes(summary: Summary) -> Iterator[Markup]:
    """Write what the reader should know beside the figures."""
    yield from _list(summary.notes, "notes")


def _list(texts: Sequence[str], kind: str) -> Iterator[Markup]:
    if texts:
        yield block("ul", *(tag("li", text) for text in texts[:_MOST_LINES]), class_=kind)
        if len(texts) > _MOST_LINES:
            yield and_more(len(texts) - _MOST_LINES, kind)
