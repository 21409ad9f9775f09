"""Axes have few ticks, at round values, within their range."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.report.page.axis import Axis, linear_axis, log_axis, time_axis, time_of

NUMBERS = st.floats(0, 1e12)


def hold(axis: Axis, most: int) -> None:
    values = [tick.value for tick in axis.ticks]
    assert 1 <= len(values) <= most
    assert all(one < other for one, other in pairwise(values))
    assert all(0 <= axis.place(value) <= 1 for value in values)
    assert len({tick.label for tick in axis.ticks}) == len(values)


@given(NUMBERS)
def test_a_linear_axis_ends_at_a_tick(high: float) -> None:
    axis = linear_axis(0, high)
    hold(axis, 7)
    assert axis.low == 0
    assert axis.high >= high
    assert axis.place(axis.high) == 1


@pytest.mark.parametrize("ends", [(0, 1), (0, 46), (-3, 54), (0, 3600), (0, 86400 * 30), (-0.5, 0.7)])
def test_a_time_axis_has_round_times(ends: tuple[float, float]) -> None:
    hold(time_axis(*ends), 7)


@given(st.floats(0.001, 1e7), st.floats(1, 1e5))
def test_a_logarithmic_axis_has_ticks_however_short_it_is(low: float, ratio: float) -> None:
    axis = log_axis(low, low * ratio)
    hold(axis, 12)
    assert 0 < axis.place(low) <= axis.place(low * ratio) < 1


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (0.5, "0.5 s"), (59, "59 s"), (90, "1:30"), (3750, "1:02:30"), (-90, "-1:30")]
)
def test_times_are_written_briefly(seconds: float, text: str) -> None:
    assert time_of(seconds) == text
