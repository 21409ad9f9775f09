"""How the latencies were distributed: a histogram with percentiles and limits, and one for failures. Judges nothing."""

import math
from collections.abc import Iterator, Sequence

from burstctl.gate import Verdict
from burstctl.report.page.axis import Axis, linear_axis, log_axis
from burstctl.report.page.chart import Flag, Frame, Span, bars, figure, hints
from burstctl.report.page.markup import Markup
from burstctl.summary import Spread, Summary
from burstctl.units import format_ms, format_share

_BINS = 60
_LEAST_MS = 0.001
_MOST_LIMITS = 3


def latency_charts(summary: Summary, verdict: Verdict) -> Iterator[Markup]:
    """Draw what was measured of succeeded and of failed requests; nothing where nothing was."""
    spread = summary.total.latency_ms
    if spread.histogram:
        limits = [
            Flag(judgement.threshold.limit, judgement.threshold.label, "limit")
            for judgement in verdict.judgements
            if judgement.threshold.distribution == "latency" and judgement.threshold.scope is None
        ]
        flags = [
            Flag(value, f"{name} {format_ms(value)} ms", "percentile")
            for name in ("p50", "p95", "p99")
            if (value := getattr(spread, name)) is not None
        ]
        yield _histogram("Latency of succeeded requests, ms", spread, [*flags, *limits[:_MOST_LIMITS]], "latency")
    if summary.total.failed_ms.histogram:
        yield _histogram("Time until requests failed, ms", summary.total.failed_ms, (), "failed")


def _histogram(title: str, spread: Spread, flags: Sequence[Flag], kind: str) -> Markup:
    samples = [(max(nanoseconds / 1e6, _LEAST_MS), times) for nanoseconds, times in spread.histogram]
    places = [*(value for value, _ in samples), *(flag.at for flag in flags if flag.at > 0)]
    across = log_axis(min(places), max(places))
    columns = _columns(samples, across)
    most = max(column.value or 0 for column in columns)
    frame = Frame(across, linear_axis(0, max(most, 4)))
    total = sum(times for _, times in samples)
    tips = [
        (
            one.low,
            one.high,
            f"{format_ms(one.low)}–{format_ms(one.high)} ms: {one.value:,.0f} ({format_share(one.value / total)})",
        )
        for one in columns
        if one.value
    ]
    shown = ", ".join(flag.label for flag in flags)
    return figure(
        title,
        frame,
        [bars(frame, columns, kind), hints(frame, tips)],
        flags=flags,
        caption=f"{total:,} samples, from {format_ms(spread.min)} to {format_ms(spread.max)} ms; "
        "the axis is logarithmic",
        told=f"{title}: {shown}" if shown else title,
    )


def _columns(samples: Sequence[tuple[float, int]], across: Axis) -> list[Span]:
    counts = [0] * _BINS
    for value, times in samples:
        counts[min(int(across.place(value) * _BINS), _BINS - 1)] += times
    ratio = math.log(across.high / across.low) / _BINS
    edges = [across.low * math.exp(ratio * place) for place in range(_BINS + 1)]
    return [Span(edges[place], edges[place + 1], count) for place, count in enumerate(counts)]
