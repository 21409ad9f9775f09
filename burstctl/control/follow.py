"""A cap on window and rate by what waits in the fleet, for fleets whose latency hides their queue.

Stands before any controller, only ever takes away from what that allows, and knows no probe: it hears values.
"""

import math

from burstctl.attempt import Attempt
from burstctl.control.controller import Controller

_LEAST_CUT = 0.3
"""One reading is up to a second old: it cuts by no more than this."""
_GROWTH = 1.25
_LEAST = 0.01


class FollowingController:
    """Cuts by `keep_under` ÷ value while a value is above it, grows again once it is below half of that.

    A window under one request is one request at that part of the rate: a fleet that answers at once and works later has
    hardly anything in flight, whatever waits in it.
    """

    __slots__ = ("_cap", "_heard_s", "_in_flight", "_inner", "_keep_under", "_now_s", "_patience_s", "cuts")

    def __init__(self, inner: Controller, keep_under: float, every_s: float, now_s: float) -> None:
        """Take the probe's rhythm along: without a reading for five of them, 5 s at the least, it caps nothing."""
        self._inner = inner
        self._keep_under = keep_under
        self._patience_s = max(5.0, 5 * every_s)
        self._cap = math.inf
        self._in_flight = 0
        self._now_s = self._heard_s = now_s
        self.cuts = 0
        """Readings at which it took something away."""

    def hear(self, value: float) -> None:
        """Take a value of the queue."""
        self._heard_s = self._now_s
        if value > self._keep_under:
            used = max(1.0, min(self._inner.window(), float(self._in_flight)))
            cut = max(_LEAST_CUT, self._keep_under / value)
            self._cap = max(_LEAST, min(self._cap, used) * cut)
            self.cuts += 1
        elif value < self._keep_under / 2 and self._cap < math.inf:
            self._cap *= _GROWTH
            if self._cap > self._inner.window():
                self._cap = math.inf

    def rate_per_s(self) -> float:
        return self._inner.rate_per_s() * min(1.0, self._cap)

    def window(self) -> float:
        return min(self._inner.window(), max(1.0, self._cap))

    def open_at(self) -> float:
        return self._inner.open_at()

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        self._in_flight = in_flight
        self._inner.sent(serial, now_s, in_flight)

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        self._in_flight = in_flight
        self._inner.observe(attempt, in_flight)

    def tick(self, now_s: float, in_flight: int) -> None:
        self._now_s, self._in_flight = now_s, in_flight
        if now_s - self._heard_s > self._patience_s:
            self._cap = math.inf
        self._inner.tick(now_s, in_flight)
