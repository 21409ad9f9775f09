"""The ceiling's promise, under virtual time: any rate, any stalls, any changes of the controller's rate."""

import asyncio
import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.pace.pacer import Pacer

RATES = st.one_of(st.sampled_from([0.2, 0.5, 1.0, 1.5, 7.0, 100.0, 300.0, 3000.0]), st.floats(0.1, 5000.0))
STALLS = st.lists(st.tuples(st.integers(0, 400), st.floats(0.0, 3.0)), max_size=5)
LATE_S = (0.0, 0.0011, 0.0004, 0.0008, 0.0002, 0.0019, 0.0)
"""How late timers fire, in turn: what asyncio's millisecond steps look like."""

Virtual = Callable[[Callable[[], Any]], Any]


def stall(seconds: float) -> None:
    cast(Any, asyncio.get_running_loop()).stall(seconds)


async def send_all(
    ceiling_per_s: float, sends: int, rate_per_s: Callable[[int], float], stalls: dict[int, float]
) -> list[float]:
    """Send as a run does: wait for the gate, let time pass before the send really goes out, stamp it."""
    loop = asyncio.get_running_loop()
    pacer, times = Pacer(ceiling_per_s), list[float]()
    for i in range(sends):
        while True:
            now_s = loop.time()
            open_s = pacer.open_at(rate_per_s(i))
            again_s = open_s if open_s > now_s else pacer.blocked_until(now_s)
            if again_s is None:
                break
            await asyncio.sleep(again_s - now_s)
            stall(LATE_S[i % len(LATE_S)])
        place, _ = await pacer.release(now_s, rate_per_s(i))
        stall(stalls.get(i, 0.0))
        pacer.stamp(place, loop.time())
        times.append(loop.time())
    return times


def most_in_any(times: Sequence[float], span_s: float) -> int:
    """Count the sends in the fullest half-open interval."""
    most = first = 0
    for i, time_s in enumerate(times):
        while time_s - times[first] >= span_s:
            first += 1
        most = max(most, i - first + 1)
    return most


@settings(max_examples=150, deadline=None)
@given(rate=RATES, stalls=STALLS, factors=st.lists(st.floats(0.01, 3.0), min_size=1, max_size=8))
def test_no_interval_ever_holds_more_than_its_share(
    virtual: Virtual, rate: float, stalls: list[tuple[int, float]], factors: list[float]
) -> None:
    sends = min(3 * math.ceil(rate) + 10, 900)
    steered = [rate * factor for factor in factors]
    times = virtual(lambda: send_all(rate, sends, lambda i: steered[i * len(steered) // sends], dict(stalls)))
    k = math.ceil(rate)
    assert most_in_any(times, k / rate) <= k


@pytest.mark.parametrize("rate", [0.2, 1, 1.5, 20, 100, 199.5, 300, 3000])
def test_late_timers_cost_less_than_half_a_percent_of_the_rate(virtual: Virtual, rate: float) -> None:
    sends = max(20, int(rate * 20))
    times = virtual(lambda: send_all(rate, sends, lambda _i: rate, {}))
    assert (sends - 1) / (times[-1] - times[0]) >= 0.995 * rate


def test_a_long_stall_is_not_made_up_by_a_spike(virtual: Virtual) -> None:
    times = virtual(lambda: send_all(300, 900, lambda _i: 300, {300: 0.5}))
    after = [time_s for time_s in times if time_s >= times[300]]
    assert most_in_any(after, 0.1) <= 30 + 2


def test_the_first_send_waits_for_nothing_and_the_second_for_its_slot(virtual: Virtual) -> None:
    times = virtual(lambda: send_all(10, 3, lambda _i: 10, {}))
    assert times[0] == 1000.0
    assert times[1] - times[0] >= 0.1
