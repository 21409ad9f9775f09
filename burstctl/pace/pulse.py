"""Feels how late the loop is, by a timer that ought to beat every few milliseconds. Knows nothing of what is late.

While a process gets no processor, answers wait unread: they look slower than they were, and a full window stays closed.
No send is late by that, so sends alone don't tell of it.
"""

import math

from burstctl.clock import Clock, Timer

BEAT_S = 0.005
_LATE_S = 0.005
"""A beat that is late by less is a loop at its ordinary work, whose timers count in milliseconds."""


class Pulse:
    """Beats from `start` to `stop`; costs the loop a callback each time."""

    __slots__ = ("_clock", "_due_s", "_late_from_s", "_timer")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._due_s = math.inf
        """When the next beat ought to be."""
        self._late_from_s = math.inf
        """When the last one ought to have been, if it was late."""
        self._timer: Timer | None = None

    def start(self) -> None:
        self._due_s = self._clock.now() + BEAT_S
        self._timer = self._clock.call_at(self._due_s, self._beat)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due_s = self._late_from_s = math.inf

    def late_s(self, noticed_s: float) -> float:
        """Tell how much earlier something may have happened that the loop noticed just now; 0 if it was in time.

        The beat may come before or after what else the loop finds when it wakes. What it finds before the next beat
        is taken for late as well.
        """
        if noticed_s - self._due_s > _LATE_S:
            return noticed_s - self._due_s
        return max(0.0, noticed_s - self._late_from_s)

    def _beat(self) -> None:
        now_s = self._clock.now()
        self._late_from_s = self._due_s if now_s - self._due_s > _LATE_S else math.inf
        self._due_s = now_s + BEAT_S
        self._timer = self._clock.call_at(self._due_s, self._beat)
