"""The run second by second. Keeps one small record for each second and the latencies of the running one only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from burstctl.summary import Second


@dataclass(slots=True)
class _Open:
    """A second that still counts."""

    t: int
    sent: int = 0
    succeeded: int = 0
    failed: int = 0
    status_429: int = 0
    latencies_ms: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Portion:
    """What one of several processes counted in one second."""

    second: Second
    latencies_ms: Sequence[float] = ()


class Timeline:
    """Counts events by the second in which they happen; times in seconds since the run's start."""

    __slots__ = ("_closed", "_open", "_untaken")

    def __init__(self, *, kept: bool = False) -> None:
        """`kept`: until `take` is called, every closed second keeps its latencies."""
        self._untaken: list[Portion] | None = [] if kept else None
        self._closed: list[Second] = []
        self._open = _Open(0)

    def sent(self) -> None:
        self._open.sent += 1

    def answered_429(self) -> None:
        self._open.status_429 += 1

    def succeeded(self, latency_ms: float) -> None:
        self._open.succeeded += 1
        self._open.latencies_ms.append(latency_ms)

    def failed(self) -> None:
        self._open.failed += 1

    def advance(self, elapsed_s: float, rate_per_s: float, window: float | None, in_flight: int) -> None:
        """Close every second that is over; to be called before an event is counted, and often."""
        while elapsed_s >= self._open.t + 1:
            self._close(rate_per_s, window, in_flight)

    def finish(self, rate_per_s: float, window: float | None, in_flight: int) -> tuple[Second, ...]:
        """Close the last second if anything happened in it, and give all of them."""
        last = self._open
        if last.sent or last.succeeded or last.failed or last.status_429 or not self._closed:
            self._close(rate_per_s, window, in_flight)
        return tuple(self._closed)

    @property
    def ends_s(self) -> float:
        """When the second that still counts is over."""
        return self._open.t + 1.0

    def take(self) -> list[Portion]:
        """Give the seconds that were closed since the last call."""
        taken = self._untaken or []
        if taken:
            self._untaken = []
        return taken

    def combine(self, portions: Sequence[Portion]) -> None:
        """Close the next second with what several processes counted in it, one portion for each."""
        one, ends = self._open, [portion.second for portion in portions]
        for second, portion in zip(ends, portions, strict=True):
            one.sent += second.sent
            one.succeeded += second.succeeded
            one.failed += second.failed
            one.status_429 += second.status_429
            one.latencies_ms.extend(portion.latencies_ms)
        rates, windows = [second.rate or 0.0 for second in ends], [second.window or 0.0 for second in ends]
        self._close(math.fsum(rates), math.fsum(windows), sum(second.in_flight for second in ends))

    @property
    def last(self) -> Second | None:
        """The last second that is over."""
        return self._closed[-1] if self._closed else None

    def _close(self, rate_per_s: float, window: float | None, in_flight: int) -> None:
        one = self._open
        latencies_ms = sorted(one.latencies_ms)
        p95_ms = latencies_ms[math.ceil(0.95 * len(latencies_ms)) - 1] if latencies_ms else None
        self._closed.append(
            Second(one.t, one.sent, one.succeeded, one.failed, one.status_429, p95_ms, rate_per_s, window, in_flight)
        )
        if self._untaken is not None:
            self._untaken.append(Portion(self._closed[-1], latencies_ms))
        self._open = _Open(one.t + 1)
