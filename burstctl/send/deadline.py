"""Ends what a task is doing when its time is up. Knows nothing of what that is.

One timer serves all deadlines of a watch: nearly every block is done long before its time, and a timer of its own for
each would cost more than all the rest of its bookkeeping.
"""

import asyncio
import math
from types import TracebackType

from burstctl.clock import Clock, Timer


class Watch:
    """Looks after the deadlines of many blocks."""

    __slots__ = ("_clock", "_timer", "active", "timer_s")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.active: set[Deadline] = set()
        """The blocks that have not ended yet."""
        self.timer_s = math.inf
        """When the timer fires."""
        self._timer: Timer | None = None

    def until(self, when_s: float) -> "Deadline":
        """Give a block of code that ends at `when_s` of the clock, wherever it is then."""
        return Deadline(self, when_s)

    def close(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()

    def expect(self, when_s: float) -> None:
        """Have the timer fire at `when_s` if it would fire later."""
        if when_s < self.timer_s:
            self.close()
            self.timer_s = when_s
            self._timer = self._clock.call_at(when_s, self._fire)

    def _fire(self) -> None:
        self._timer, self.timer_s = None, math.inf
        now_s = self._clock.now()
        for deadline in [one for one in self.active if one.when_s <= now_s]:
            self.active.discard(deadline)
            deadline.expire()
        # Most deadlines that the timer was set for are over or were moved by now: it follows the earliest one left.
        self.expect(min([one.when_s for one in self.active], default=math.inf))


class Deadline:
    """A block of code with an end in time that may move; moving it on costs nothing."""

    __slots__ = ("_cancelling", "_task", "_watch", "expired", "when_s")

    def __init__(self, watch: Watch, when_s: float) -> None:
        self._watch = watch
        self.when_s = when_s
        self.expired = False
        """The block was ended."""

    def move(self, when_s: float) -> None:
        """End the block at `when_s` of the clock instead."""
        if when_s < self.when_s:
            self._watch.expect(when_s)
        self.when_s = when_s

    def __enter__(self) -> "Deadline":
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        watch = self._watch
        watch.active.add(self)
        if self.when_s < watch.timer_s:
            watch.expect(self.when_s)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        self._watch.active.discard(self)
        # Somebody else may want the task to end, too: then it has to.
        return self.expired and self._task.uncancel() <= self._cancelling and exc_type is asyncio.CancelledError

    def expire(self) -> None:
        """End the block."""
        self.expired = True
        self._task.cancel()
