"""Time as a parameter: a monotonic clock, the wall clock and timers. Knows nothing of what is timed."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A callback that has not run yet."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Where the run gets its time from."""

    def now(self) -> float:
        """Tell monotonic seconds; only differences mean anything."""
        ...

    def wall(self) -> float:
        """Tell seconds since the Unix epoch, for dates shown to people and HTTP dates."""
        ...

    def call_at(self, when_s: float, callback: Callable[[], None]) -> Timer:
        """Call back at `when_s` of `now()`; it may come up to a millisecond early, so check the clock again."""
        ...


class LoopClock:
    """The running event loop's clock; a loop with virtual time makes a virtual clock of it."""

    __slots__ = ("_loop", "call_at", "now")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        # Bound once: both stand on the way of every send.
        self.now: Callable[[], float] = loop.time
        self.call_at: Callable[[float, Callable[[], None]], Timer] = loop.call_at

    def wall(self) -> float:
        return time.time()
