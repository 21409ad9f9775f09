"""The alarm: at its moment or up to a millisecond before, never for one that was replaced or cleared."""

import asyncio
import sys
from collections.abc import Callable

import pytest
import uvloop

from burstctl.clock import clock_of
from burstctl.pace.alarm import TimerFdAlarm, open_alarm

LOOPS: list[Callable[[], asyncio.AbstractEventLoop]] = [asyncio.new_event_loop, uvloop.new_event_loop]


@pytest.mark.parametrize("new_loop", LOOPS)
def test_it_rings_once_for_the_moment_set_last(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def main() -> list[str]:
        loop = asyncio.get_running_loop()
        clock, rung = clock_of(loop), list[str]()
        with open_alarm(loop, clock) as alarm:
            alarm.set(clock.now() + 0.01, lambda: rung.append("replaced"))
            alarm.set(clock.now() + 0.02, lambda: rung.append("set"))
            await asyncio.sleep(0.06)
            alarm.set(clock.now() - 5.0, lambda: rung.append("past"))
            await asyncio.sleep(0.03)
            alarm.set(clock.now() + 0.01, lambda: rung.append("cleared"))
            alarm.clear()
            await asyncio.sleep(0.03)
        return rung

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(main()) == ["set", "past"]


@pytest.mark.parametrize("new_loop", LOOPS)
def test_it_does_not_ring_early_by_more_than_a_millisecond(new_loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def main() -> float:
        loop = asyncio.get_running_loop()
        clock, rung = clock_of(loop), asyncio.Event()
        with open_alarm(loop, clock) as alarm:
            when_s = clock.now() + 0.0123
            alarm.set(when_s, rung.set)
            await rung.wait()
            return clock.now() - when_s

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert runner.run(main()) >= -0.001


def test_on_linux_it_is_a_timerfd_and_its_descriptor_is_closed() -> None:
    async def main() -> bool:
        loop = asyncio.get_running_loop()
        with open_alarm(loop, clock_of(loop)) as alarm:
            return isinstance(alarm, TimerFdAlarm)

    assert asyncio.run(main()) == (sys.platform == "linux")
