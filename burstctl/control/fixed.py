"""The controller that does not react: the ceiling, a constant window. Retries still back off, each on its own."""

import math

from burstctl.attempt import Attempt


class FixedController:
    """Keeps the rate whatever the answers are."""

    __slots__ = ("_rate_per_s", "_window")

    def __init__(self, rate_per_s: float, max_in_flight: int) -> None:
        self._rate_per_s = rate_per_s
        self._window = max_in_flight

    def rate_per_s(self) -> float:
        return self._rate_per_s

    def window(self) -> float:
        return self._window

    def open_at(self) -> float:
        return -math.inf

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        """Nothing to learn from a send."""

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        """Nothing to learn from an answer."""

    def tick(self, now_s: float, in_flight: int) -> None:
        """Nothing changes with time."""
