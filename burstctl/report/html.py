"""The report for browsers: one self-contained file that nothing in it can act from. Knows neither files nor figures.

It has no script and loads nothing; its content security policy allows its one style sheet, by hash, and no more. It
has a light and a dark look, is readable on a phone, and prints.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator

from burstctl.gate import Verdict
from burstctl.report.page.figures import answer_table, generator_table, request_table, time_table
from burstctl.report.page.fleet import probe_charts, probe_table
from burstctl.report.page.gates import cause_table, threshold_table
from burstctl.report.page.head import head, notes, tiles, title
from burstctl.report.page.latency import latency_charts
from burstctl.report.page.markup import Markup, block, lines, raw, tag
from burstctl.report.page.settings import settings_table
from burstctl.report.page.style import STYLE
from burstctl.report.page.timeline import timeline_charts
from burstctl.summary import Summary

NAME = "html"


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the page; its size is bounded whatever the run was."""
    page = block(
        "html",
        block(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", http_equiv="Content-Security-Policy", content=_policy()),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("meta", name="referrer", content="no-referrer"),
            tag("title", title(summary, verdict)),
            tag("style", raw(STYLE)),
        ),
        block("body", block("main", *_sections(summary, verdict))),
        lang="en",
    )
    return f"<!doctype html>\n{page.source}\n"


def _policy() -> str:
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _sections(summary: Summary, verdict: Verdict) -> Iterator[Markup]:
    total = summary.total
    yield head(summary, verdict)
    if total.planned:
        yield tiles(summary)
    yield from notes(summary)
    if verdict.judgements and total.planned:
        yield _section("Thresholds", threshold_table(verdict.judgements))
    if total.causes:
        yield _section(f"Why {total.failed:,} failed", cause_table(total.causes, "Why requests failed"))
    if total.attempts:
        yield _section("Over time", [_charts(timeline_charts(summary, verdict))])
        yield _section("Times", [_charts(latency_charts(summary, verdict)), time_table(total)])
    if summary.probes:
        yield _section("What the fleet told of itself", [_charts(probe_charts(summary)), *probe_table(summary)])
    if total.planned:
        yield _section("Requests", request_table(summary))
    if total.attempts:
        yield _section("Answers", answer_table(total))
    if total.retry_causes:
        yield _section(f"Why {total.retries:,} were tried again", cause_table(total.retry_causes, "Why retried"))
    if total.attempts:
        yield _section("burstctl itself", [generator_table(summary)])
    if summary.settings:
        yield _section("Settings", settings_table(summary.settings))


def _section(heading: str, parts: Iterable[Markup]) -> Markup:
    return block("section", tag("h2", heading), *(part for part in parts if part.source))


def _charts(charts: Iterable[Markup]) -> Markup:
    made = list(charts)
    return block("div", *made, class_="charts") if made else lines(())
