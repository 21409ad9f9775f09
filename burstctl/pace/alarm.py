"""Wakes the coroutine that decides about sends, to a tenth of a millisecond where Linux's timerfd allows it.

Loops wait in whole milliseconds, rounded up; and as the ceiling's ring hands a late send on to its k-th successor, what
a timer is late adds up from second to second.
"""

import asyncio
import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from typing import Protocol

from burstctl.clock import Clock, Timer

_CLOCK_MONOTONIC = 1
_ABSOLUTE = 1


class Alarm(Protocol):
    """One moment at which to call back; setting another one replaces it."""

    def set(self, when_s: float, callback: Callable[[], None]) -> None:
        """Call back at `when_s` of the run's clock, or up to a millisecond earlier."""
        ...

    def clear(self) -> None:
        """Call nobody back."""
        ...


class LoopAlarm:
    """The clock's own timers."""

    __slots__ = ("_clock", "_timer")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._timer: Timer | None = None

    def set(self, when_s: float, callback: Callable[[], None]) -> None:
        self.clear()
        self._timer = self._clock.call_at(when_s, callback)

    def clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Timespec(ctypes.Structure):
    _fields_ = (("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long))


class _Itimerspec(ctypes.Structure):
    _fields_ = (("interval", _Timespec), ("value", _Timespec))


class TimerFdAlarm:
    """A timerfd that the loop watches; counts by CLOCK_MONOTONIC, as `time.monotonic` does."""

    __slots__ = ("_callback", "_descriptor", "_loop", "_settime", "_spec")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Raise OSError or AttributeError where there is no such thing."""
        libc = ctypes.CDLL(None, use_errno=True)
        self._settime = libc.timerfd_settime
        self._descriptor = libc.timerfd_create(_CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        if self._descriptor < 0:
            raise OSError(ctypes.get_errno(), "timerfd_create")
        self._spec = _Itimerspec()
        self._callback: Callable[[], None] | None = None
        self._loop = loop
        loop.add_reader(self._descriptor, self._fire)

    def set(self, when_s: float, callback: Callable[[], None]) -> None:
        self._callback = callback
        value = self._spec.value
        value.seconds = int(when_s)
        # Of a moment that is past nothing may remain 0: that would disarm it.
        value.nanoseconds = max(1, int((when_s - value.seconds) * 1e9))
        self._settime(self._descriptor, _ABSOLUTE, ctypes.byref(self._spec), None)

    def clear(self) -> None:
        self._callback = None

    def close(self) -> None:
        self._loop.remove_reader(self._descriptor)
        os.close(self._descriptor)

    def _fire(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it was set anew in the same round of the loop
            os.read(self._descriptor, 8)
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()


@contextlib.contextmanager
def open_alarm(loop: asyncio.AbstractEventLoop, clock: Clock) -> Iterator[Alarm]:
    """Give the finest alarm that there is here."""
    try:
        alarm = TimerFdAlarm(loop) if sys.platform == "linux" else None
    except (OSError, AttributeError, NotImplementedError):
        alarm = None
    if alarm is None:
        yield LoopAlarm(clock)
        return
    try:
        yield alarm
    finally:
        alarm.close()
