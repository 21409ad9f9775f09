"""The pulse: it tells for how long the loop may have left something unread, and nothing where the loop was in time."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from burstctl.clock import LoopClock
from burstctl.pace.pulse import BEAT_S, Pulse

Virtual = Callable[[Callable[[], Any]], Any]


def feel(virtual: Virtual, stall_s: float, *, then_s: float = 0.0) -> float:
    """Let the loop do nothing for a while; tell how late something is that comes to notice so much later."""

    async def main() -> float:
        loop: Any = asyncio.get_running_loop()
        pulse = Pulse(LoopClock(loop))
        pulse.start()
        await asyncio.sleep(1.0)
        loop.stall(stall_s)
        await asyncio.sleep(then_s)
        late_s = pulse.late_s(loop.time())
        pulse.stop()
        return late_s

    late_s: float = virtual(main)
    return late_s


@pytest.mark.parametrize("stall_s", [0.02, 0.45, 3.0])
def test_what_waited_through_a_stall_is_late_by_it(virtual: Virtual, stall_s: float) -> None:
    assert feel(virtual, stall_s) == pytest.approx(stall_s, abs=1.01 * BEAT_S)


def test_the_beat_may_come_first(virtual: Virtual) -> None:
    assert 0.445 <= feel(virtual, 0.45, then_s=BEAT_S / 4) <= 0.456


@pytest.mark.parametrize("then_s", [3 * BEAT_S, 1.0])
def test_what_comes_later_is_in_time(virtual: Virtual, then_s: float) -> None:
    assert feel(virtual, 0.45, then_s=then_s) == 0.0


def test_a_loop_at_its_ordinary_work_is_in_time(virtual: Virtual) -> None:
    assert feel(virtual, 0.003) == 0.0


def test_a_pulse_that_is_not_beating_feels_nothing(virtual: Virtual) -> None:
    async def main() -> float:
        pulse = Pulse(LoopClock(asyncio.get_running_loop()))
        before_s = pulse.late_s(5.0)
        pulse.start()
        pulse.stop()
        return before_s + pulse.late_s(5.0)

    assert virtual(main) == 0.0
