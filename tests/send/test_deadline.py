"""A deadline ends its own block and nothing else, at the moment it was last moved to."""

import asyncio
import math
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.clock import LoopClock
from burstctl.send.deadline import Watch

Virtual = Any


@pytest.mark.parametrize(
    ("moves", "ends_s"),
    [([], 1.0), ([5.0], 5.0), ([0.25], 0.25), ([math.inf, 3.0], 3.0), ([0.5, 9.0], 9.0), ([4.0, 2.0], 2.0)],
)
def test_the_last_move_counts(virtual: Virtual, moves: list[float], ends_s: float) -> None:
    async def main() -> float:
        clock = LoopClock(asyncio.get_running_loop())
        start_s = clock.now()
        with Watch(clock).until(start_s + 1.0) as deadline:
            for move_s in moves:
                deadline.move(start_s + move_s)
            await asyncio.sleep(100)
        assert deadline.expired
        return clock.now() - start_s

    assert virtual(main) == pytest.approx(ends_s)


def test_a_block_that_is_done_in_time_goes_on(virtual: Virtual) -> None:
    async def main() -> bool:
        with Watch(LoopClock(asyncio.get_running_loop())).until(asyncio.get_running_loop().time() + 1) as deadline:
            await asyncio.sleep(0.5)
        await asyncio.sleep(5)
        return deadline.expired

    assert virtual(main) is False


@pytest.mark.parametrize("cancelled_s", [0.5, 1.0])
def test_a_cancellation_from_outside_is_not_swallowed(virtual: Virtual, cancelled_s: float) -> None:
    async def main() -> bool:
        clock, ended = LoopClock(asyncio.get_running_loop()), False

        async def work() -> None:
            nonlocal ended
            with Watch(clock).until(clock.now() + 1.0):
                await asyncio.sleep(100)
            await asyncio.sleep(0)
            ended = True

        with anyio.move_on_after(cancelled_s):
            await work()
        return ended

    assert virtual(main) is False


def test_an_error_beats_a_deadline_that_passed_meanwhile(virtual: Virtual) -> None:
    async def main() -> int:
        loop = asyncio.get_running_loop()

        async def break_when_cancelled() -> None:
            try:
                await asyncio.sleep(100)
            except asyncio.CancelledError:
                raise OSError("broken") from None

        with pytest.raises(OSError, match="broken"), Watch(LoopClock(loop)).until(loop.time() + 1):
            await break_when_cancelled()
        task = asyncio.current_task()
        assert task is not None
        return task.cancelling()

    assert virtual(main) == 0


@given(
    st.lists(
        st.tuples(st.floats(0, 5), st.floats(0.01, 5), st.floats(0.01, 5), st.one_of(st.none(), st.floats(0.01, 5))),
        max_size=30,
    )
)
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_watch_ends_each_of_many_blocks_at_its_own_time(
    virtual: Virtual, blocks: list[tuple[float, float, float, float | None]]
) -> None:
    """Each block begins, has a limit, does its work and may have its limit moved to a moment after its beginning."""

    async def main() -> None:
        clock = LoopClock(asyncio.get_running_loop())
        watch = Watch(clock)

        async def block(begins_s: float, limit_s: float, works_s: float, moved_s: float | None) -> None:
            await asyncio.sleep(begins_s)
            start_s = clock.now()
            with watch.until(start_s + limit_s) as deadline:
                if moved_s is not None:
                    deadline.move(start_s + moved_s)
                await asyncio.sleep(works_s)
            allowed_s = limit_s if moved_s is None else moved_s
            if abs(allowed_s - works_s) > 1e-3:
                assert deadline.expired is (allowed_s < works_s)
            assert clock.now() - start_s == pytest.approx(min(allowed_s, works_s), abs=2e-3)

        async with asyncio.TaskGroup() as group:
            for one in blocks:
                group.create_task(block(*one))

    virtual(main)
