"""The run over time in four charts: rate against ceiling, p95, requests in flight, what went wrong. Judges nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from burstctl.gate import Verdict
from burstctl.report.page.axis import Axis, linear_axis, time_axis
from burstctl.report.page.chart import Frame, Key, Span, bars, figure, hints, level, steps
from burstctl.report.page.markup import Markup
from burstctl.report.page.stretch import Stretch, put_together, tell
from burstctl.summary import Summary
from burstctl.units import format_ms, format_rate

_IN_SIGHT = 4.0
"""A limit further above the highest value than this many times would flatten what there is to see."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What the four charts share."""

    stretches: Sequence[Stretch]
    time: Axis
    tips: Sequence[tuple[float, float, str]]
    caption: str

    def spans(self, name: str) -> list[Span]:
        return [Span(one.from_s, min(one.to_s, self.time.high), getattr(one, name)) for one in self.stretches]

    def highest(self, name: str) -> float:
        return max((span.value for span in self.spans(name) if span.value is not None), default=0.0)


def timeline_charts(summary: Summary, verdict: Verdict) -> Iterator[Markup]:
    """Draw the charts; none of a run that had no time."""
    stretches = put_together(summary.timeline)
    if not stretches:
        return
    time = time_axis(float(stretches[0].from_s), float(summary.timeline[-1].t + 1))
    length_s = stretches[0].to_s - stretches[0].from_s
    caption = f"each mark stands for {length_s} s: its highest second; counts are sums" if length_s > 1 else ""
    run = _Run(stretches, time, [(one.from_s, one.to_s, tell(one)) for one in stretches], caption)
    yield _rate(run, summary.rate.ceiling)
    yield _p95(run, verdict)
    yield _in_flight(run)
    yield _troubles(run)


def _rate(run: _Run, ceiling: float) -> Markup:
    most = run.highest("sent")
    seen = ceiling <= most * _IN_SIGHT
    frame = Frame(run.time, linear_axis(0, max(most, ceiling) if seen else most))
    marks, keys = [bars(frame, run.spans("sent"), "sent")], [Key("bar sent", "sent")]
    if seen:
        marks += [steps(frame, run.spans("rate"), "allowed"), level(frame, ceiling, "ceiling")]
        keys += [Key("line allowed", "allowed"), Key("line ceiling", f"ceiling {format_rate(ceiling)}")]
    far = "" if seen else f"the ceiling of {format_rate(ceiling)} lies far above the picture"
    return figure(
        "Requests sent per second",
        frame,
        [*marks, hints(frame, run.tips)],
        keys=keys,
        caption="; ".join(filter(None, (far, run.caption))),
        told=f"Requests sent per second, at most {most:,.0f}; the ceiling is {format_rate(ceiling)}",
    )


def _p95(run: _Run, verdict: Verdict) -> Markup:
    most_ms = run.highest("p95_ms")
    thresholds = (judgement.threshold for judgement in verdict.judgements)
    limits = {one.limit for one in thresholds if one.metric == "p95" and one.scope is None}
    seen = sorted(limit for limit in limits if limit <= most_ms * _IN_SIGHT)
    frame = Frame(run.time, linear_axis(0, max([most_ms, *seen])))
    return figure(
        "p95 latency of each second, ms",
        frame,
        [
            steps(frame, run.spans("p95_ms"), "latency"),
            *(level(frame, limit, "limit") for limit in seen),
            hints(frame, run.tips),
        ],
        keys=[
            Key("line latency", "succeeded requests"),
            *(Key("line limit", f"whole run's limit {format_ms(limit)} ms") for limit in seen),
        ],
        caption=run.caption,
        told=f"p95 latency over time, at most {format_ms(most_ms)} ms",
    )


def _in_flight(run: _Run) -> Markup:
    most = run.highest("in_flight")
    window = run.highest("window")
    seen = 0 < window <= max(most, 1) * _IN_SIGHT * 2
    frame = Frame(run.time, linear_axis(0, max(most, window) if seen else most))
    marks, keys = [bars(frame, run.spans("in_flight"), "flight")], [Key("bar flight", "at the end of each second")]
    if seen:
        marks.append(steps(frame, run.spans("window"), "allowed"))
        keys.append(Key("line allowed", "window"))
    far = f"the window, up to {window:,.3g}, lies far above the picture" if window and not seen else ""
    return figure(
        "Requests in flight",
        frame,
        [*marks, hints(frame, run.tips)],
        keys=keys,
        caption="; ".join(filter(None, (far, run.caption))),
        told=f"Requests in flight at the end of each second, at most {most:,.0f}",
    )


def _troubles(run: _Run) -> Markup:
    refused, failed = sum(one.status_429 for one in run.stretches), sum(one.failed for one in run.stretches)
    # One column over the other: the failed stand in front of the sum.
    pairs = zip(run.spans("status_429"), run.spans("failed"), strict=True)
    both = [Span(one.low, one.high, (one.value or 0) + (other.value or 0)) for one, other in pairs]
    frame = Frame(run.time, linear_axis(0, max([4.0, *(span.value or 0 for span in both)])))
    return figure(
        "Answers 429 and failed requests",
        frame,
        [bars(frame, both, "refused"), bars(frame, run.spans("failed"), "failed"), hints(frame, run.tips)],
        keys=[Key("bar refused", f"429: {refused:,}"), Key("bar failed", f"failed: {failed:,}")],
        caption=run.caption if refused or failed else "none",
        told=f"{refused:,} answers 429 and {failed:,} failed requests over time",
    )
