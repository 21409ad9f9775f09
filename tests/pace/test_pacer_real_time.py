"""The ceiling's promise on real loops and real timers. How near the rate comes to it is a benchmark's business."""

import asyncio
import math
from collections.abc import Callable

import pytest
import uvloop

from burstctl.clock import clock_of
from burstctl.pace.alarm import LoopAlarm, open_alarm
from burstctl.pace.pacer import Pacer
from burstctl.pace.wake import Wake

LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {
    "asyncio": asyncio.new_event_loop,
    "uvloop": uvloop.new_event_loop,
}


async def send_for_real(rate: float, sends: int, *, fine: bool) -> list[float]:
    loop = asyncio.get_running_loop()
    clock = clock_of(loop)
    pacer, times = Pacer(rate), list[float]()
    with open_alarm(loop, clock) as alarm:
        wake = Wake(clock, alarm if fine else LoopAlarm(clock))
        while len(times) < sends:
            now_s = clock.now()
            open_s = pacer.open_at(rate)
            again_s = open_s if open_s > now_s else pacer.blocked_until(now_s)
            if again_s is not None:
                await wake.sleep_until(again_s)
                continue
            place, _ = await pacer.release(now_s, rate)
            times.append(clock.now())
            pacer.stamp(place, times[-1])
    return times


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("fine", [True, False], ids=["timerfd", "loop timers"])
@pytest.mark.parametrize(("rate", "sends"), [(300, 450), (3000, 4500)])
def test_no_interval_holds_more_than_its_share_in_real_time(loop: str, rate: int, sends: int, fine: bool) -> None:
    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        times = runner.run(send_for_real(rate, sends, fine=fine))
    k = math.ceil(rate)
    assert all(times[i + k] - times[i] >= k / rate for i in range(sends - k))
    assert times == sorted(times)
