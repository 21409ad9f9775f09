"""The report for people: verdict first, then what it rests on, then what to do. Knows neither streams nor environment.

Text from servers and manifests is only ever a rich `Text` made inert, never markup. Colours are of the 16-colour
palette, since CI logs know no more, and every meaning is in a word as well.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from burstctl.gate import Judgement, Result, Status, Verdict
from burstctl.report.words.account import account, generator, pace
from burstctl.report.words.hint import hints
from burstctl.report.words.inert import disarm_lines, inert
from burstctl.report.words.probe import format_value, recovery
from burstctl.report.words.status import phrase
from burstctl.report.words.times import DISTRIBUTIONS, FIGURES
from burstctl.summary import Cause, Figures, ProbeFigures, Spread, Summary
from burstctl.units import format_ms, format_share

NAME = "terminal"

_CAUSES = 8
_NAMES = 20
_EXAMPLE_CHARS = 160
_CAUSE_CHARS = 120
_LEAST_WIDTH = 80
"""In less, figures would be cut; a line that a narrow terminal wraps is still true."""
_EXPLAINED_WIDTH = 96
_TRAILING_BLANKS = re.compile(r"[ \t]+((?:\x1b\[0m)?)$", re.MULTILINE)
_RESULT_STYLES = {Result.PASS: "bold green", Result.INCONCLUSIVE: "bold yellow", Result.INTERRUPTED: "bold yellow"}
_STATUS_WORDS = {Status.PASS: ("ok", "green"), Status.FAIL: ("broken", "red"), Status.NO_DATA: ("no data", "yellow")}
_PROBED = ("before", "min", "mean", "max", "last")


def render(summary: Summary, verdict: Verdict, *, width: int = 100, color: bool = False) -> str:
    """Write the summary for a terminal or a log of `width` columns."""
    width = max(width, _LEAST_WIDTH)
    out = StringIO()
    console = Console(
        file=out,
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        no_color=not color,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
        _environ={},
    )
    console.print(_verdict(summary, verdict))
    for title, body in _sections(summary, verdict, explained=width >= _EXPLAINED_WIDTH):
        console.print()
        console.print(Text(title, "bold"))
        console.print(Padding(body, (0, 0, 0, 2), expand=False))
    return disarm_lines(_TRAILING_BLANKS.sub(r"\1", out.getvalue()))


def _verdict(summary: Summary, verdict: Verdict) -> Table:
    counts = [account(summary)] if summary.total.planned else []
    lines = [*verdict.reasons, *counts]
    word = Text(verdict.result.upper(), _RESULT_STYLES.get(verdict.result, "bold red"))
    grid = _grid()
    for place, line in enumerate(lines):
        grid.add_row(word if place == 0 else Text(), _text(line, style="" if place else "bold"))
    return grid


def _sections(summary: Summary, verdict: Verdict, *, explained: bool) -> Iterable[tuple[str, RenderableType]]:
    total = summary.total
    advice = [] if verdict.result is Result.PASS else hints(total.faults)
    if verdict.warnings:
        yield "Warnings", _lines(verdict.warnings)
    if advice:
        yield "What to do", _lines(advice)
    if verdict.judgements and total.planned:
        yield "Thresholds", _thresholds(verdict.judgements)
    if total.attempts:
        yield "Times in ms", _times(total, explained=explained)
    if len(summary.requests) > 1 and total.planned:
        yield "Requests", _requests(summary)
    if total.attempts:
        retried = f", {total.retries:,} of them retries" if total.retries else ""
        yield _counted(total.attempts, "attempt") + retried, _attempts(total)
    if total.causes:
        yield _counted(total.failed, "request") + " failed", _causes(total.causes)
    if total.retry_causes:
        yield _counted(total.retries, "attempt") + " tried again", _causes(total.retry_causes)
    if total.attempts:
        yield "Pace", _lines([pace(summary), f"burstctl itself: {generator(summary)}", f"started {summary.started_at}"])
    if summary.probes:
        yield "Probes", _probes(summary.probes)
    if summary.notes:
        yield "Notes", _lines(summary.notes)


def _thresholds(judgements: Sequence[Judgement]) -> Table:
    grid = _grid(4)
    for judgement in judgements:
        word, style = _STATUS_WORDS[judgement.status]
        observed = "–" if judgement.observed is None else judgement.threshold.show(judgement.observed)
        between = "" if judgement.interval is None else "95% CI {}–{}".format(*map(format_ms, judgement.interval))
        grid.add_row(Text(word, style), _text(judgement.threshold.label), Text(observed, no_wrap=True), Text(between))
    return grid


def _times(total: Figures, *, explained: bool) -> Table:
    table = _table("", *FIGURES, "count")
    for name, meaning in DISTRIBUTIONS.items():
        spread: Spread = getattr(total, f"{name}_ms")
        if spread.count:
            cells = (format_ms(getattr(spread, figure)) for figure in FIGURES)
            table.add_row(name, *cells, f"{spread.count:,}", *([meaning] if explained else ()))
    return table


def _requests(summary: Summary) -> RenderableType:
    table = _table("", "planned", "succeeded", "failed", "unsent", "p50", "p95", "p99")
    # Where not all can be shown, those that failed are.
    ordered = list(summary.requests.items())
    if len(ordered) > _NAMES:
        ordered.sort(key=lambda item: -item[1].failed)
    for name, figures in ordered[:_NAMES]:
        counts = (f"{n:,}" for n in (figures.planned, figures.succeeded, figures.failed, figures.unsent))
        latency = figures.latency_ms
        style = "red" if figures.failed else ""
        table.add_row(_text(name, style=style), *counts, *map(format_ms, (latency.p50, latency.p95, latency.p99)))
    return _and_more(table, [figures.planned for _, figures in ordered[_NAMES:]], "names")


def _attempts(total: Figures) -> Table:
    grid = _grid(3)
    answers = [(phrase(status), n, status < 400) for status, n in sorted(total.status.items())]
    faults = [(fault, n, False) for fault, n in sorted(total.faults.items(), key=lambda item: (-item[1], item[0]))]
    grid.columns[1].justify = grid.columns[2].justify = "right"
    for what, count, good in (*answers, *faults):
        share = format_share(count / total.attempts)
        grid.add_row(_text(what, style="" if good else "red"), Text(f"{count:,}"), Text(share))
    return grid


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"


def _causes(causes: Sequence[Cause]) -> RenderableType:
    grid = _grid()
    grid.columns[0].justify = "right"
    for cause in causes[:_CAUSES]:
        grid.add_row(Text(f"{cause.count:,}"), _text(cause.text, _CAUSE_CHARS))
        if cause.example:
            grid.add_row(Text(), _text(f"e.g. {cause.example}", _EXAMPLE_CHARS))
    return _and_more(grid, [cause.count for cause in causes[_CAUSES:]], "causes")


def _and_more(shown: Table, hidden_counts: Sequence[int], what: str) -> RenderableType:
    if not hidden_counts:
        return shown
    return Group(shown, Text(f"and {len(hidden_counts):,} more {what} ({sum(hidden_counts):,})"))


def _probes(probes: Mapping[str, ProbeFigures]) -> RenderableType:
    table = _table("", *_PROBED, "recovery", "readings", "failed")
    for name, probe in probes.items():
        series = [(name, probe.main, probe.baseline), *((f"  {one}", of, None) for one, of in probe.series.items())]
        for title, figures, baseline in series:
            cells = [format_value(one) for one in (baseline, figures.min, figures.mean, figures.max, figures.last)]
            counts = (recovery(probe), f"{probe.readings:,}", f"{probe.errors:,}") if title == name else ("", "", "")
            table.add_row(_text(title, _CAUSE_CHARS), *cells, *counts)
    causes = [f"{name}: {cause.text}: {cause.count:,}" for name, probe in probes.items() for cause in probe.causes]
    return Group(table, _lines(causes)) if causes else table


def _lines(lines: Iterable[str]) -> RenderableType:
    return Group(*(_text(line) for line in lines))


def _grid(columns: int = 2) -> Table:
    grid = Table.grid(padding=(0, 2), pad_edge=False)
    for column in range(columns):
        grid.add_column(overflow="fold", no_wrap=columns == 2 and column == 0)
    return grid


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place else "left", no_wrap=place > 0, overflow="fold")
    return table


def _text(text: str, limit: int | None = None, *, style: str = "") -> Text:
    return Text(inert(text, limit), style)
