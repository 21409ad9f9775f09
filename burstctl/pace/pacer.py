"""Decides when the next send may go: schedule and ceiling as one gate. Knows nothing of windows or answers."""

from typing import Protocol

from burstctl.pace.ceiling import Ceiling
from burstctl.pace.schedule import Schedule


class Cap(Protocol):
    """What no schedule gets past: the ceiling, or this job's part of one that several share."""

    tolerance_s: float
    """How late a send may be and still be made up."""

    def open_at(self) -> float: ...

    def has_capacity(self) -> bool: ...

    async def enter(self, now_s: float) -> int: ...

    def stamp(self, place: int, sent_s: float) -> None: ...


class Pacer:
    """The first of the two gates before every send."""

    __slots__ = ("_ceiling", "_interval_s", "_schedule", "ceiling_per_s", "stamp")

    def __init__(self, ceiling_per_s: float, cap: Cap | None = None) -> None:
        self.ceiling_per_s = ceiling_per_s
        self._ceiling: Cap = cap or Ceiling(ceiling_per_s)
        self._schedule = Schedule(self._ceiling.tolerance_s)
        self._interval_s = 1.0 / ceiling_per_s
        self.stamp = self._ceiling.stamp

    def open_at(self, rate_per_s: float) -> float:
        """Tell when the next send may go at the controller's rate, which never lifts the ceiling."""
        return max(self._schedule.open_at(min(rate_per_s, self.ceiling_per_s)), self._ceiling.open_at())

    def blocked_until(self, now_s: float) -> float | None:
        """Tell when to ask again if the bucket holds back a send that the schedule allows; None if it doesn't."""
        return None if self._ceiling.has_capacity() else now_s + self._interval_s / 4

    async def release(self, now_s: float, rate_per_s: float) -> tuple[int, float]:
        """Let one send go, `open_at` and `blocked_until` having said so.

        Gives its place, for `stamp`, and the seconds of schedule that were passed over for good before it.
        """
        lost_s = self._schedule.take(now_s, min(rate_per_s, self.ceiling_per_s))
        return await self._ceiling.enter(now_s), lost_s
