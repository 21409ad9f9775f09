"""What the fleet told of itself: a chart for each signal and all its figures. Judges nothing."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from burstctl.report.page.axis import linear_axis, time_axis, time_of
from burstctl.report.page.chart import Flag, Frame, Key, figure, hints, level, line
from burstctl.report.page.markup import Markup, cut, tag
from burstctl.report.page.table import Row, and_more, table
from burstctl.report.words.probe import format_value, recovery
from burstctl.summary import ProbeFigures, SeriesFigures, Summary

_MOST_CHARTS = 12
_MOST_ROWS = 100
_MOST_CAUSES = 3
_MOST_STRETCHES = 90
_NAME_CHARS = 80
_HEADINGS = ("signal", "baseline", "min", "mean", "max", "last", "recovery", "readings", "errors", "kind")


def thin_out(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Give at most 182 points, among them the least and the greatest value of each stretch."""
    if len(points) <= 2 * _MOST_STRETCHES:
        return list(points)
    size = -(-len(points) // _MOST_STRETCHES)
    kept = [points[0]]
    for start in range(0, len(points), size):
        part = points[start : start + size]
        kept += sorted({min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])})
    return [*kept, points[-1]]


def probe_charts(summary: Summary) -> Iterator[Markup]:
    """Draw each signal that was read over time."""
    drawn = [(name, probe) for name, probe in summary.probes.items() if probe.points]
    for name, probe in drawn[:_MOST_CHARTS]:
        yield _chart(name, probe, summary.duration_s)


def probe_table(summary: Summary) -> Iterator[Markup]:
    """Give all figures of all signals, and why some readings failed."""
    rows = [row for name, probe in summary.probes.items() for row in _rows(name, probe)]
    yield table("What the fleet told of itself", _HEADINGS, rows[:_MOST_ROWS], texts=("kind",))
    yield and_more(len(rows) - _MOST_ROWS, "signals")
    for name, probe in list(summary.probes.items())[:_MOST_ROWS]:
        for cause in probe.causes[:_MOST_CAUSES]:
            said = cut(cause.text, 200)
            yield tag("p", f"{cut(name, _NAME_CHARS)}: {cause.count:,} readings failed: {said}", class_="soft")


def _chart(name: str, probe: ProbeFigures, ends_s: float) -> Markup:
    points = thin_out(probe.points)
    values = [value for _, value in points]
    values += [value for value in (probe.baseline, probe.main.max, probe.main.min) if value is not None]
    low_s, high_s = min(0.0, points[0][0]), max(points[-1][0], ends_s)
    frame = Frame(time_axis(low_s, max(high_s, low_s + 1)), linear_axis(min(0.0, *values), max(values)), 90)
    keys = [Key("line probe", _kind(probe))]
    marks = [line(frame, points, "probe")]
    if probe.baseline is not None:
        keys.append(Key("line allowed", f"baseline {format_value(probe.baseline)}"))
        marks.append(level(frame, probe.baseline, "allowed"))
    edges = [low_s, *((one + other) / 2 for (one, _), (other, _) in pairwise(points)), high_s]
    tips = [
        (low, high, f"{time_of(round(at_s, 1))}: {format_value(value)}")
        for (at_s, value), (low, high) in zip(points, pairwise(edges), strict=True)
    ]
    over = [Flag(ends_s, "last answer", "percentile")] if high_s > ends_s else []
    return figure(
        cut(name, _NAME_CHARS),
        frame,
        [*marks, hints(frame, tips)],
        keys=keys,
        flags=over,
        told=f"{name} over time, at most {format_value(probe.main.max)}; recovery: {recovery(probe)}",
    )


def _rows(name: str, probe: ProbeFigures) -> Iterator[Row]:
    counts = (f"{probe.readings:,}", f"{probe.errors:,}")
    figures = (format_value(probe.baseline), *_figures(probe.main))
    yield Row(tag("bdi", cut(name, _NAME_CHARS)), (*figures, recovery(probe), *counts, _kind(probe)))
    for series, those in probe.series.items():
        label = tag("bdi", cut(f"{name}.{series}", _NAME_CHARS))
        yield Row(label, ("–", *_figures(those), "–", "", "", ""))


def _kind(probe: ProbeFigures) -> str:
    kind = cut(probe.kind, 40)
    return f"{kind}, required" if probe.required else kind


def _figures(series: SeriesFigures) -> tuple[str, ...]:
    mean = None if series.mean is None else float(f"{series.mean:.4g}")
    return tuple(map(format_value, (series.min, mean, series.max, series.last)))
