"""Reads every probe on its own rhythm: before the first request, during the run, and after it until all is as before.

A probe that fails or hangs is counted, and hurts neither the run nor another probe. Knows neither kinds nor requests.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from burstctl.clock import Clock
from burstctl.probe.figures import Track
from burstctl.probe.probe import MAIN, Probe, ProbeError
from burstctl.probe_settings import ProbeSettings
from burstctl.summary import ProbeFigures

_SETTLED = 0.02
"""How near to its baseline a value counts as back there, as a share of how far it was away: the usual settling band."""

_CLOSES_WITHIN_S = 2.0
"""A peer that hangs may not hold up the end of the run."""


@dataclass(slots=True)
class Watched:
    """A probe and what it has told."""

    settings: ProbeSettings
    probe: Probe
    track: Track = field(default_factory=Track)


class Watch:
    """All probes of one run."""

    def __init__(self, probes: Sequence[tuple[ProbeSettings, Probe]], clock: Clock) -> None:
        self._all = [Watched(settings, probe) for settings, probe in probes]
        self._clock = clock
        self._tasks: list[asyncio.Task[None]] = []
        self.on_reading: Callable[[str, float], None] = lambda name, value: None
        """Hears each value of a probe's main series."""
        self.on_waiting: Callable[[str, float, float, float], None] = lambda name, value, baseline, most_s: None
        """Hears once of each probe that is not back at its baseline: value, baseline, and how long it is watched."""

    async def take_baselines(self) -> None:
        """Read every probe once, all at the same time."""
        await asyncio.gather(*(self._read(one) for one in self._all))
        for one in self._all:
            one.track.set_baseline()

    def start(self, group: asyncio.TaskGroup) -> None:
        """Go on reading, each probe by its own `every`, until `stop`."""
        self._tasks = [group.create_task(self._follow(one)) for one in self._all]

    async def stop(self) -> None:
        """Read no more but what recovery needs: until each value is back at its baseline, or its time is over."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        end_s = self._clock.now()
        await asyncio.gather(*(self._recover(one, end_s) for one in self._all))

    async def aclose(self) -> None:
        """Close every probe."""
        closing = (asyncio.wait_for(one.probe.aclose(), _CLOSES_WITHIN_S) for one in self._all)
        await asyncio.gather(*closing, return_exceptions=True)

    def figures(self, start_s: float) -> dict[str, ProbeFigures]:
        """Give what each probe came to, by name; `start_s` is the run's start on the clock."""
        return {
            one.settings.name: replace(one.track.figures(one.settings.kind, start_s), required=one.settings.required)
            for one in self._all
        }

    async def _follow(self, one: Watched) -> None:
        next_s = self._clock.now()
        while True:
            next_s = max(next_s + one.settings.every_s, self._clock.now())
            await asyncio.sleep(next_s - self._clock.now())
            await self._read(one)

    async def _recover(self, one: Watched, end_s: float) -> None:
        """Watch a value return to where it was before the first request."""
        settings, until_s, told_s = one.settings, end_s + one.settings.recovery_s, end_s
        announced = False
        while True:
            told = await self._read(one)
            now_s = self._clock.now()
            last, baseline = one.track.main().last, one.track.baseline
            if last is None or baseline is None or not settings.recovery_s:
                return
            # What it said before it fell silent says nothing of now.
            if told is _Told.NOW and _is_back(one):
                one.track.recovery_s = now_s - end_s
            if told is _Told.NOW:
                one.track.watched_s = now_s - end_s
            if told is not _Told.NOTHING:
                told_s = now_s
            silent = now_s - told_s >= settings.timeout_s and not settings.recovery_asked
            if one.track.recovery_s is not None or now_s >= until_s or silent:
                return
            if not announced:
                announced = True
                self.on_waiting(settings.name, last, baseline, settings.recovery_s)
            await asyncio.sleep(min(settings.recovery_every_s, until_s - now_s))

    async def _read(self, one: Watched) -> "_Told":
        """Take one reading."""
        try:
            async with asyncio.timeout(one.settings.timeout_s):
                readings = await one.probe.read()
        except TimeoutError:
            one.track.fail(f"no reading within {one.settings.timeout_s:g} s")
            return _Told.NOTHING
        except ProbeError as error:
            one.track.fail(str(error))
            return _Told.NOTHING
        except Exception as error:  # noqa: BLE001 - what looks on may not end what it looks at
            one.track.fail(f"the answer is not as expected ({type(error).__name__})")
            return _Told.NOTHING
        now_s = self._clock.now()
        for reading in readings or ():
            if not all(map(math.isfinite, reading.values())):
                one.track.fail("a value is no finite number")
                continue
            one.track.add(now_s, reading)
            if MAIN in reading:
                self.on_reading(one.settings.name, reading[MAIN])
        return _Told.PAST if readings is None else _Told.NOW


class _Told(Enum):
    """What a reading tells."""

    NOW = auto()
    PAST = auto()
    """How it was; how it is can't be known yet."""
    NOTHING = auto()
    """It failed."""


def _is_back(one: Watched) -> bool:
    """Tell whether the value is where it was before; with a band above it, for what is never quite still."""
    baseline, main = one.track.baseline, one.track.main()
    if baseline is None or main.last is None or main.max is None:
        return False
    return main.last <= baseline + _SETTLED * (main.max - baseline)
