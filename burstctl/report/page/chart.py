"""Charts as inline SVG that keep their text's size at every width and need neither script nor style to be right.

The picture lies in an inner SVG that is stretched; text and grid lie in the outer one, placed by shares of its width.
What matters is a presentation attribute too, since some CI systems serve reports without their styles.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from burstctl.report.page.axis import Axis
from burstctl.report.page.markup import Markup, block, lines, tag

_WIDTH = 1000
"""Of the inner picture, in its own units."""
_ROW_PX = 15
_LEAST_BAR_PX = 2.0
_NEAR_THE_EDGE = 0.2


@dataclass(frozen=True, slots=True)
class Frame:
    """The area of a chart."""

    x: Axis
    y: Axis
    height_px: int = 120

    def across(self, value: float) -> float:
        return round(self.x.place(value) * _WIDTH, 1)

    def down(self, value: float) -> float:
        return round((1 - self.y.place(value)) * self.height_px, 1)


@dataclass(frozen=True, slots=True)
class Span:
    """A value that holds from one place to another; None where there is none."""

    low: float
    high: float
    value: float | None


@dataclass(frozen=True, slots=True)
class Flag:
    """A place on the horizontal axis with a name, as a percentile."""

    at: float
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Key:
    """A line of the legend."""

    kind: str
    label: str


def steps(frame: Frame, spans: Sequence[Span], kind: str) -> Markup:
    """Draw values as the levels of stairs, with gaps where there are none."""
    path: list[str] = []
    pen: float | None = None
    for span in spans:
        if span.value is None:
            pen = None
            continue
        path.append(f"{'M' if pen is None else 'L'}{frame.across(span.low):g} {frame.down(span.value):g}")
        path.append(f"H{frame.across(span.high):g}")
        pen = span.value
    return _stroke("".join(path), kind)


def line(frame: Frame, points: Sequence[tuple[float, float]], kind: str) -> Markup:
    """Draw readings joined by straight lines; a single one is a dot."""
    if not points:
        return lines(())
    corners = " ".join(f"{frame.across(at):g} {frame.down(value):g}" for at, value in points)
    single = " h0" if len(points) == 1 else ""
    return _stroke(f"M{corners}{single}", kind)


def bars(frame: Frame, spans: Iterable[Span], kind: str) -> Markup:
    """Draw values as columns; the least that is not 0 can still be seen."""
    path: list[str] = []
    for span in spans:
        if span.value:
            top = min(frame.down(span.value), frame.height_px - _LEAST_BAR_PX)
            left, right = frame.across(span.low), frame.across(span.high)
            path.append(f"M{left:g} {frame.height_px}V{top:g}H{right:g}V{frame.height_px}Z")
    return tag("path", d="".join(path), class_=f"bar {kind}", opacity=0.6) if path else lines(())


def level(frame: Frame, value: float, kind: str) -> Markup:
    """Draw a value that holds all along, as a limit."""
    return _stroke(f"M0 {frame.down(value):g}H{_WIDTH}", kind)


def hints(frame: Frame, texts: Iterable[tuple[float, float, str]]) -> Markup:
    """Lay strips over the chart that tell their figures when pointed at."""
    made = []
    for low, high, text in texts:
        left = frame.across(low)
        width = f"{frame.across(high) - left:.6g}"
        strip = tag("title", text)
        made.append(tag("rect", strip, x=left, y=0, width=width, height=frame.height_px, class_="hint", fill_opacity=0))
    return lines(made)


def figure(
    title: str,
    frame: Frame,
    marks: Iterable[Markup],
    *,
    keys: Sequence[Key] = (),
    flags: Sequence[Flag] = (),
    caption: str = "",
    told: str = "",
) -> Markup:
    """Put a chart together; `told` says in words what it shows to those who can't see it."""
    # A pole passes the names below its own; from left to right there are none in its way.
    flags = sorted(flags, key=lambda flag: flag.at)
    above_px = _ROW_PX * len(flags)
    foot_px = above_px + frame.height_px
    picture = block(
        "svg",
        *(mark for mark in marks if mark.source),
        y=above_px,
        width="100%",
        height=frame.height_px,
        viewBox=f"0 0 {_WIDTH} {frame.height_px}",
        preserveAspectRatio="none",
    )
    drawing = block(
        "svg",
        tag("title", told or title),
        *_grid(frame, above_px),
        picture,
        *(_pole(frame, flag, row, foot_px) for row, flag in enumerate(flags)),
        *(_name(frame, flag, row) for row, flag in enumerate(flags)),
        # The namespace makes the drawing a document of its own when it is copied out.
        xmlns="http://www.w3.org/2000/svg",
        class_="chart",
        role="img",
        width="100%",
        height=foot_px + 24,
        overflow="visible",
    )
    legend = block("p", *(tag("span", key.label, class_=f"key {key.kind}") for key in keys), class_="legend")
    parts = [tag("h3", title), *([legend] if keys else []), drawing]
    if caption:
        parts.append(tag("figcaption", caption))
    return block("figure", *parts)


def _grid(frame: Frame, above_px: int) -> Iterable[Markup]:
    for tick in frame.y.ticks:
        y = above_px + frame.down(tick.value)
        yield tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid", stroke="currentColor", stroke_opacity=0.15)
        yield tag("text", tick.label, x=0, dx=-8, y=y, dy="0.32em", text_anchor="end")
    for tick in frame.x.ticks:
        share = f"{frame.x.place(tick.value) * 100:.4g}%"
        yield tag("text", tick.label, x=share, y=above_px + frame.height_px + 18, text_anchor="middle")


def _pole(frame: Frame, flag: Flag, row: int, foot_px: float) -> Markup:
    share = f"{frame.x.place(flag.at) * 100:.4g}%"
    return tag(
        "line", x1=share, x2=share, y1=row * _ROW_PX + 2, y2=foot_px, class_=f"pole {flag.kind}", stroke="currentColor"
    )


def _name(frame: Frame, flag: Flag, row: int) -> Markup:
    place = frame.x.place(flag.at)
    side, dx = ("start", 5) if place < 1 - _NEAR_THE_EDGE else ("end", -5)
    y = (row + 1) * _ROW_PX - 3
    return tag("text", flag.label, x=f"{place * 100:.4g}%", dx=dx, y=y, text_anchor=side, class_=f"flag {flag.kind}")


def _stroke(path: str, kind: str) -> Markup:
    return (
        tag(
            "path",
            d=path,
            class_=f"line {kind}",
            fill="none",
            stroke="currentColor",
            vector_effect="non-scaling-stroke",
        )
        if path
        else lines(())
    )
