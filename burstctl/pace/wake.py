"""Sleeps until a moment or an event, and knows when the sleep was over by rights. Knows nothing of what is awaited."""

import asyncio
import math

from burstctl.clock import Clock
from burstctl.pace.alarm import Alarm


class Wake:
    """What the one coroutine that decides about sends sleeps on."""

    __slots__ = ("_alarm", "_clock", "_event", "_woken_s", "over_s")

    def __init__(self, clock: Clock, alarm: Alarm) -> None:
        self._clock = clock
        self._alarm = alarm
        self._event = asyncio.Event()
        self._woken_s = math.inf
        """When an event came during the sleep; infinite if none did."""
        self.over_s = clock.now()
        """When the last sleep was over by rights: at its moment or at its event, however late the loop noticed."""

    def notify(self, late_s: float = 0.0) -> None:
        """End the sleep: something may have changed, as much earlier as the loop noticed it late."""
        if not self._event.is_set():
            self._woken_s = self._clock.now() - late_s
            self._event.set()

    async def sleep_until(self, when_s: float) -> None:
        """Sleep; it may end up to a millisecond early, so look at the clock again."""
        self._event.clear()
        self._woken_s = math.inf
        if when_s < math.inf:
            self._alarm.set(when_s, self._event.set)
        try:
            await self._event.wait()
        finally:
            self._alarm.clear()
        self.over_s = min(when_s, self._woken_s)
