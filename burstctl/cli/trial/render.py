"""A dry-run for people: verdict, exchanges, plan, warnings. Knows neither streams nor environment.

Text from servers and manifests is only ever a rich `Text` made inert, never markup.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from burstctl.cli.trial.exchange import Exchange
from burstctl.cli.trial.signals import Signal
from burstctl.forecast import Forecast, format_bytes
from burstctl.plan import Plan
from burstctl.report.words.inert import disarm_lines, escape, inert
from burstctl.units import format_duration, format_ms, format_rate

_SEEN_CHARS = 200
_EXCERPT_CHARS = 400
_DIFF_CHARS = 160
_URL_CHARS = 400
_SOURCE_CHARS = 400
_EXCHANGES = 100
_TRAILING_BLANKS = re.compile(r"[ \t]+((?:\x1b\[0m)?)$", re.MULTILINE)
_STYLES = {"PASS": "bold green", "PLAN": "bold", "INCONCLUSIVE": "bold yellow", "INTERRUPTED": "bold yellow"}


@dataclass(frozen=True, slots=True)
class Trial:
    """All that a dry-run has to say."""

    word: str
    """The verdict's."""
    lines: Sequence[str]
    """What it rests on, the most important first."""
    whole: Plan
    own: Plan
    """This job's part of it."""
    body_bytes: Mapping[str, float]
    """Mean size of the bodies of each name."""
    forecast: Forecast
    exchanges: Sequence[Exchange] = ()
    commands: Sequence[Sequence[str]] = ()
    """The lines of a shell command for each entry, where nothing is sent."""
    warnings: Sequence[str] = ()
    """Of the verdict."""
    notes: Sequence[str] = ()
    signals: Sequence[Signal] = ()


def render(trial: Trial, *, width: int, color: bool) -> str:
    """Write it for a terminal or a log of `width` columns; commands are as long as they are."""
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
    _write_verdict(console, trial)
    for exchange in trial.exchanges[:_EXCHANGES]:
        _write_exchange(console, exchange)
    if len(trial.exchanges) > _EXCHANGES:
        console.print(f"\nand {len(trial.exchanges) - _EXCHANGES:,} more exchanges")
    for command in trial.commands:
        console.print()
        for line in command:
            console.print(Text(escape(line)), soft_wrap=True)
    if trial.signals:
        _title(console, "Probes")
        console.print(_indent(_probes(trial.signals)))
    _title(console, "Plan")
    console.print(_indent(_plan(trial)))
    for title, lines in (("Warnings", [*trial.forecast.warnings, *trial.warnings]), ("Notes", trial.notes)):
        if lines:
            _title(console, title)
            for line in lines:
                console.print(_indent(_text(line, style="yellow" if title == "Warnings" else "")))
    return disarm_lines(_TRAILING_BLANKS.sub(r"\1", out.getvalue()))


def _write_verdict(console: Console, trial: Trial) -> None:
    grid = _grid()
    for place, line in enumerate(trial.lines):
        word = Text("" if place else trial.word, _STYLES.get(trial.word, "bold red"))
        grid.add_row(word, _text(line, style="" if place else "bold"))
    console.print(grid)


def _write_exchange(console: Console, exchange: Exchange) -> None:
    row = "" if exchange.row is None else f", row {exchange.row}"
    console.print()
    console.print(
        Text.assemble(
            (inert(exchange.name), "bold"), f"{row}  {inert(exchange.method)} {inert(exchange.url, _URL_CHARS)}"
        )
    )
    times = [] if exchange.latency_s is None else [f"latency {format_ms(exchange.latency_s * 1000)} ms"]
    if exchange.ttfb_s is not None:
        times.append(f"first byte {format_ms(exchange.ttfb_s * 1000)} ms")
    facts = ", ".join(filter(None, (*times, exchange.protocol)))
    status = _text(exchange.status, _SEEN_CHARS, style="green" if exchange.succeeded else "red")
    console.print(_indent(Text.assemble(status, f"  {inert(facts)}" if facts else "")))
    grid = _grid()
    for check in exchange.checks:
        met = Text("ok", "green") if check.met else Text("broken", "red")
        grid.add_row(met, _text(f"{check.condition}: {inert(check.seen, _SEEN_CHARS)}"))
        for line in check.difference:
            grid.add_row(Text(), _diff_line(line))
    for name, value in exchange.limits:
        grid.add_row(Text("limits"), _text(f"{name}: {value}", _SEEN_CHARS))
    if exchange.excerpt:
        grid.add_row(Text("answer"), _text(exchange.excerpt, _EXCERPT_CHARS))
    if grid.row_count:
        console.print(_indent(grid))


def _probes(signals: Sequence[Signal]) -> Table:
    grid = _grid()
    for signal in signals:
        required = ", required" if signal.required else ""
        source = f"{signal.kind}{required}: {signal.source}"
        grid.add_row(Text(inert(signal.name), "bold"), _text(source, _SOURCE_CHARS))
        if signal.trouble:
            grid.add_row(Text("  not read", "red"), _text(signal.trouble, _SEEN_CHARS))
            grid.add_row(Text("  hint"), _text(signal.hint))
        elif signal.told:
            grid.add_row(Text("  read", "green"), _text(signal.told, _SEEN_CHARS))
    return grid


def _plan(trial: Trial) -> Table:
    grid, whole, own, look = _grid(), trial.whole, trial.own, trial.forecast
    for name, planned in whole.counts.items():
        each = trial.body_bytes.get(name)
        size = f", bodies of {format_bytes(each)}" if each else ""
        share = f", {own.counts.get(name, 0):,} of them by this job" if own.planned != whole.planned else ""
        grid.add_row(Text(f"{planned:,}"), _text(f"{name}{size}{share}"))
    limit = own.rate_limit
    rows = [("ceiling", f"{format_rate(whole.rate_limit.rate_per_s)}, controller {limit.controller}")]
    if own.shard.total > 1:
        part = f"job {own.shard.index} of {own.shard.total}: {format_rate(limit.rate_per_s)}"
        rows.append(("share", f"{part}, {own.planned:,} of {whole.planned:,} requests"))
    rows.append(("takes", f"{format_duration(look.least_s)} at the least"))
    known = "unknown until a request is sent" if look.in_flight is None else _peak(look.in_flight, limit.most_in_flight)
    rows.append(("in flight", known))
    for name, text in rows:
        grid.add_row(Text(name), _text(text))
    for threshold in whole.thresholds:
        grid.add_row(Text("threshold"), _text(threshold.label))
    return grid


def _peak(in_flight: float, most: int) -> str:
    peak = max(1, round(in_flight))
    return f"about {min(peak, most):,} at the ceiling (rate × latency), {most:,} at the most"


def _diff_line(line: str) -> Text:
    indent = len(line[1:]) - len(line[1:].lstrip(" "))
    style = {"-": "red", "+": "green", "@": "cyan"}.get(line[:1], "")
    return Text(line[:1] + " " * indent + inert(line[1:], _DIFF_CHARS), style)


def _title(console: Console, title: str) -> None:
    console.print()
    console.print(Text(title, "bold"))


def _indent(body: Text | Table) -> Padding:
    return Padding(body, (0, 0, 0, 2), expand=False)


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _text(text: str, limit: int | None = None, *, style: str = "") -> Text:
    return Text(inert(text, limit), style)
