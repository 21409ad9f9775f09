"""The absolute schedule: when the next send is due at a given rate. All the waiting is arithmetic; knows no clock."""

import math


class Schedule:
    """Slots one interval apart; slots lost to a short delay are made up, those lost to a longer one are not.

    Never re-based on the moment of a send, so timer lateness does not add up to a lower rate.
    """

    __slots__ = ("_last_s", "_tolerance_s")

    def __init__(self, tolerance_s: float) -> None:
        self._tolerance_s = tolerance_s
        self._last_s = -math.inf

    def open_at(self, rate_per_s: float) -> float:
        """Tell the next slot's time at this rate; the first one is open at once."""
        return self._last_s + 1.0 / rate_per_s

    def take(self, now_s: float, rate_per_s: float) -> float:
        """Use the slot that is open at `now_s`; return the seconds of schedule that are lost for good."""
        if self._last_s == -math.inf:
            self._last_s = now_s
            return 0.0
        slot_s, earliest_s = self.open_at(rate_per_s), now_s - self._tolerance_s
        self._last_s = max(slot_s, earliest_s)
        return self._last_s - slot_s
