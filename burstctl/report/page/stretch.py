"""Puts a run's seconds together, so that an hour takes no more room than a minute. Draws nothing.

What is a level keeps its highest second, what is a count its sum: no peak and no single failure is lost.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from burstctl.report.page.axis import time_of
from burstctl.summary import Second
from burstctl.units import format_ms

_MOST = 180
_LENGTHS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some seconds of the run in one; `to_s` is no part of it."""

    from_s: int
    to_s: int
    sent: int
    """In its busiest second."""
    succeeded: int
    failed: int
    status_429: int
    p95_ms: float | None
    rate: float | None
    window: float | None
    in_flight: int


def put_together(timeline: Sequence[Second]) -> list[Stretch]:
    """Give the run in at most 181 stretches of equal length, as short as that allows."""
    if not timeline:
        return []
    span_s = timeline[-1].t + 1 - timeline[0].t
    fewest_s = -(-span_s // _MOST)
    length_s = next((length for length in _LENGTHS_S if length >= fewest_s), fewest_s)
    parts: dict[int, list[Second]] = {}
    for second in timeline:
        parts.setdefault(second.t // length_s, []).append(second)
    return [_stretch(number * length_s, length_s, part) for number, part in parts.items()]


def tell(one: Stretch) -> str:
    """Say in one line what happened in it."""
    when = time_of(one.from_s) if one.to_s - one.from_s == 1 else f"{time_of(one.from_s)} to {time_of(one.to_s)}"
    window = "" if one.window is None else f" of {one.window:,.3g}"
    return (
        f"{when}: sent {one.sent:,}/s, succeeded {one.succeeded:,}, failed {one.failed:,}, 429 {one.status_429:,}, "
        f"in flight {one.in_flight:,}{window}, p95 {format_ms(one.p95_ms)} ms"
    )


def _stretch(from_s: int, length_s: int, part: Sequence[Second]) -> Stretch:
    def highest(name: str) -> float | None:
        return max((value for one in part if (value := getattr(one, name)) is not None), default=None)

    return Stretch(
        from_s,
        from_s + length_s,
        sent=max(one.sent for one in part),
        succeeded=sum(one.succeeded for one in part),
        failed=sum(one.failed for one in part),
        status_429=sum(one.status_429 for one in part),
        p95_ms=highest("p95_ms"),
        rate=highest("rate"),
        window=highest("window"),
        in_flight=max(one.in_flight for one in part),
    )
