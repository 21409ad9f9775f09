"""Time as a parameter: a monotonic clock, the wall clock and timers. Knows nothing of what is timed."""

import asyncio
import math
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
    """The running event loop's own clock; a loop with virtual time makes a virtual clock of it."""

    __slots__ = ("call_at", "now")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        # Bound once: both stand on the way of every send.
        self.now: Callable[[], float] = loop.time
        self.call_at: Callable[[float, Callable[[], None]], Timer] = loop.call_at

    def wall(self) -> float:
        return time.time()


class FineClock:
    """The system's monotonic clock over a loop whose own one only knows milliseconds, as uvloop's does."""

    __slots__ = ("_loop", "now")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.now: Callable[[], float] = time.monotonic

    def wall(self) -> float:
        return time.time()

    def call_at(self, when_s: float, callback: Callable[[], None]) -> Timer:
        # Rounded up: a delay that the loop rounds down to 0 would be asked for again and again until its time comes.
        return self._loop.call_later(max(1, math.ceil((when_s - self.now()) * 1000)) / 1000, callback)


def clock_of(loop: asyncio.AbstractEventLoop) -> Clock:
    """Choose the clock that fits a loop."""
    return FineClock(loop) if type(loop).__module__.startswith("uvloop") else LoopClock(loop)
