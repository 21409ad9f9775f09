"""The seam between a run and what steers it: attempts go in, rate, window and pause come out."""

from typing import Protocol

from burstctl.attempt import Attempt


class Controller(Protocol):
    """Moves rate and window; times in seconds of the run's clock. Never lifts the ceiling, which stands before it."""

    def rate_per_s(self) -> float:
        """Tell the rate at which sends may go."""
        ...

    def window(self) -> float:
        """Tell how many requests may be in flight; infinite without a window."""
        ...

    def open_at(self) -> float:
        """Tell when the run may send again, if the server asked for a pause; in the past otherwise."""
        ...

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        """Take note of a send; `in_flight` includes it."""
        ...

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        """Learn from an ended attempt; `in_flight` no longer includes it."""
        ...

    def tick(self, now_s: float, in_flight: int) -> None:
        """Let time pass; called every `TICK_S`."""
        ...


TICK_S = 0.05
"""Seconds between two ticks."""
