"""Probes are read on their own rhythm, and none of them can hold up a run or another probe."""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from burstctl.clock import LoopClock
from burstctl.probe.probe import MAIN, ProbeError, Reading
from burstctl.probe.watch import Watch
from burstctl.probe_settings import ProbeSettings
from burstctl.summary import ProbeFigures

Virtual = Any


class Scripted:
    """A probe whose value is a function of time; `takes_s` is how long a reading takes."""

    def __init__(self, value: Callable[[float], float], takes_s: float = 0.0) -> None:
        self._value = value
        self._takes_s = takes_s
        self.closed = False
        self.start_s: float | None = None

    async def read(self) -> Sequence[Reading] | None:
        loop = asyncio.get_running_loop()
        self.start_s = loop.time() if self.start_s is None else self.start_s
        await asyncio.sleep(self._takes_s)
        value = self._value(loop.time() - self.start_s)
        if value == -1:
            raise ProbeError("connection refused")
        if value == -3:
            return None
        if value == -2:
            raise KeyError("Attributes")
        return [{MAIN: value, "double": 2 * value}]

    async def aclose(self) -> None:
        self.closed = True


def watch(virtual: Virtual, run_s: float, *probes: Scripted, **settings: Any) -> tuple[list[ProbeFigures], float]:
    """Watch a run of so many seconds; give what each probe came to, and how long all of it took."""

    async def main() -> tuple[list[ProbeFigures], float]:
        clock = LoopClock(asyncio.get_running_loop())
        start_s = clock.now()
        watched = Watch([(ProbeSettings(f"p{i}", "scripted", **settings), one) for i, one in enumerate(probes)], clock)
        await watched.take_baselines()
        async with asyncio.TaskGroup() as group:
            watched.start(group)
            await asyncio.sleep(run_s)
            await watched.stop()
        await watched.aclose()
        return list(watched.figures(start_s).values()), clock.now() - start_s

    result: tuple[list[ProbeFigures], float] = virtual(main)
    assert all(one.closed for one in probes)
    return result


def test_a_queue_that_fills_and_empties(virtual: Virtual) -> None:
    def queue(t: float) -> float:
        return max(5.0, min(t, 20.0 - t) * 10)

    [figures], took_s = watch(virtual, 10.0, Scripted(queue))
    assert (figures.baseline, figures.main.min, figures.main.max) == (5, 5, 100)
    assert figures.recovery_s == pytest.approx(10.0, abs=1.0)
    assert took_s == pytest.approx(20.0, abs=1.0)
    assert figures.readings == pytest.approx(20, abs=2)
    assert figures.series["double"].max == 200
    assert [value for _, value in figures.points][:3] == [5, 10, 20]


def test_one_that_never_recovers_is_given_up_in_time(virtual: Virtual) -> None:
    [figures], took_s = watch(virtual, 5.0, Scripted(lambda t: t), recovery_s=30.0)
    assert figures.recovery_s is None
    assert took_s <= 35.0


def test_one_that_hangs_or_fails_is_counted_and_holds_up_no_other(virtual: Virtual) -> None:
    hangs, fails, good = Scripted(lambda t: 1, takes_s=1e6), Scripted(lambda t: -1), Scripted(lambda t: 3)
    figures, took_s = watch(virtual, 10.0, hangs, fails, good, timeout_s=2.0)
    assert [(one.readings > 0, one.errors > 0) for one in figures] == [(False, True), (False, True), (True, False)]
    assert [one.causes[0].text for one in figures[:2]] == ["no reading within 2 s", "connection refused"]
    assert figures[2].readings == pytest.approx(11, abs=1)
    assert figures[0].baseline is None
    assert took_s == pytest.approx(2.0 + 10.0 + 2.0, abs=1.0)


def test_a_slow_reading_is_not_made_up_for(virtual: Virtual) -> None:
    [figures], _ = watch(virtual, 10.0, Scripted(lambda t: 1, takes_s=1.9), every_s=1.0)
    assert figures.readings <= 8


def test_what_is_kept_of_a_long_run_is_bounded(virtual: Virtual) -> None:
    def values() -> Iterator[float]:
        yield from range(100_000)

    row = values()
    [figures], _ = watch(virtual, 20_000.0, Scripted(lambda t: next(row)), recovery_s=0.0)
    assert figures.readings > 19_000
    assert len(figures.points) <= 2000
    assert figures.points[0][1] == 0


def test_a_bug_in_a_probe_and_a_lie_are_counted_like_any_other_failure(virtual: Virtual) -> None:
    figures, _ = watch(virtual, 5.0, Scripted(lambda t: -2), Scripted(lambda t: math.nan), Scripted(lambda t: 3))
    assert [one.readings > 0 for one in figures] == [False, False, True]
    assert [one.causes[0].text for one in figures[:2]] == [
        "the answer is not as expected (KeyError)",
        "a value is no finite number",
    ]
    assert figures[2].errors == 0


def test_a_probe_that_dies_at_its_baseline_has_not_recovered(virtual: Virtual) -> None:
    dies = Scripted(lambda t: 1 if t < 4.5 else -1)
    [figures], took_s = watch(virtual, 5.0, dies, recovery_s=10.0, recovery_asked=True)
    assert (figures.main.last, figures.recovery_s, figures.watched_s) == (1, None, None)
    assert took_s == pytest.approx(15.0, abs=1.0)


def test_one_that_dies_away_from_its_baseline_was_watched_as_long_as_it_told_anything(virtual: Virtual) -> None:
    dies = Scripted(lambda t: t if t < 8.5 else -1)
    [figures], took_s = watch(virtual, 5.0, dies, recovery_s=10.0, recovery_asked=True)
    assert figures.recovery_s is None
    assert figures.watched_s == pytest.approx(3.0, abs=1.0)
    assert took_s == pytest.approx(15.0, abs=1.0)


@pytest.mark.parametrize("takes_s", [0.0, 1e6])
def test_where_nobody_asks_for_its_recovery_one_that_fails_or_hangs_delays_the_end_by_its_time_out(
    virtual: Virtual, takes_s: float
) -> None:
    class Dying(Scripted):
        async def read(self) -> Sequence[Reading] | None:
            dead = self.start_s is not None and asyncio.get_running_loop().time() > self.start_s + 4.5
            self._takes_s = takes_s if dead else 0.0
            return await super().read()

    [figures], took_s = watch(virtual, 5.0, Dying(lambda t: t if t < 4.5 else -1), recovery_s=60.0, timeout_s=2.0)
    assert figures.recovery_s is None
    assert took_s <= 5.0 + 2.0 + 0.1


def test_where_readings_are_metered_a_return_is_not_watched_any_closer(virtual: Virtual) -> None:
    [figures], took_s = watch(virtual, 5.0, Scripted(lambda t: t), every_s=15.0, recovery_every_s=15.0)
    assert figures.readings == 1 + 5
    assert took_s == pytest.approx(65.0, abs=0.1)
    assert figures.watched_s == pytest.approx(60.0, abs=0.1)


def test_one_that_comes_back_to_life_recovers_then(virtual: Virtual) -> None:
    [figures], _ = watch(virtual, 5.0, Scripted(lambda t: -1 if 4.5 < t < 12 else 1), recovery_asked=True)
    assert figures.recovery_s == pytest.approx(7.0, abs=1.1)


@pytest.mark.parametrize("scale", [0.001, 1.0, 1000.0])
def test_recovery_does_not_depend_on_the_unit(virtual: Virtual, scale: float) -> None:
    """A cache's share moves between 0 and 1, a queueing time in thousands of microseconds."""
    [figures], _ = watch(virtual, 10.0, Scripted(lambda t: scale * max(5.0, min(t, 20.0 - t) * 10)))
    assert figures.recovery_s == pytest.approx(10.0, abs=1.0)


def test_where_nothing_has_to_return_nothing_is_waited_for(virtual: Virtual) -> None:
    [figures], took_s = watch(virtual, 5.0, Scripted(lambda t: t), recovery_s=0.0)
    assert (figures.recovery_s, figures.watched_s) == (None, None)
    assert took_s <= 6.0


def test_a_value_of_before_the_end_is_no_recovery_where_what_is_now_comes_late(virtual: Virtual) -> None:
    """A probe of CloudWatch knows its newest datapoint long before the one of the run's end is out."""
    [figures], _ = watch(virtual, 5.0, Scripted(lambda t: 1 if t < 3 or t > 20 else -3))
    assert figures.main.last == 1
    assert figures.recovery_s == pytest.approx(15.5, abs=1.1)


def test_a_probe_that_can_not_be_closed_does_not_hold_up_the_end(virtual: Virtual) -> None:
    class Stuck(Scripted):
        async def aclose(self) -> None:
            self.closed = True
            await asyncio.sleep(1e6)

    _, took_s = watch(virtual, 5.0, Stuck(lambda t: 1))
    assert took_s <= 8.0
