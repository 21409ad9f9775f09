"""Ends what a task is doing when its time is up. Knows nothing of what that is."""

import asyncio
from types import TracebackType

from burstctl.clock import Clock, Timer


class Deadline:
    """A block of code with an end in time that may move; moving it on costs no timer.

    Waits for one timer at a time: when it fires too early for a deadline that has moved on, it is set again.
    """

    __slots__ = ("_cancelling", "_clock", "_task", "_timer", "_timer_s", "_when_s", "expired")

    def __init__(self, clock: Clock, when_s: float) -> None:
        self._clock = clock
        self._when_s = when_s
        self._timer: Timer | None = None
        self._timer_s = when_s
        self.expired = False
        """The block was ended."""

    def move(self, when_s: float) -> None:
        """End the block at `when_s` of the clock instead."""
        self._when_s = when_s
        if when_s < self._timer_s and self._timer is not None:
            self._timer.cancel()
            self._start()

    def __enter__(self) -> "Deadline":
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._cancelling = task.cancelling()
        self._start()
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # Somebody else may want the task to end, too: then it has to.
        return self.expired and self._task.uncancel() <= self._cancelling and exc_type is asyncio.CancelledError

    def _start(self) -> None:
        self._timer_s = self._when_s
        self._timer = self._clock.call_at(self._when_s, self._fire)

    def _fire(self) -> None:
        if self._clock.now() < self._when_s:
            self._start()
        else:
            self._timer = None
            self.expired = True
            self._task.cancel()
