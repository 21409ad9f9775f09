"""Shares of a ceiling: together they are the whole, and keep the promise that one ceiling makes."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.pace.share.split import Share

COUNTS = st.integers(1, 64)
RATES = st.one_of(st.integers(1, 1_000_000).map(float), st.floats(0.001, 1_000_000))


def shares(count: int) -> list[Share]:
    return [Share(index, count) for index in range(count)]


@given(st.integers(0, 10**9), COUNTS)
def test_parts_of_a_whole_number_add_up_and_differ_by_one_at_most(whole: int, count: int) -> None:
    parts = [share.of(whole) for share in shares(count)]
    assert sum(parts) == whole
    assert parts == sorted(parts, reverse=True)
    assert parts[0] - parts[-1] <= 1


@given(RATES, COUNTS)
def test_parts_of_a_rate_add_up(rate: float, count: int) -> None:
    parts = [share.of_rate(rate) for share in shares(count)]
    assert min(parts) > 0
    assert math.fsum(parts) == pytest.approx(rate, rel=1e-12)
    if rate.is_integer() and rate >= count:
        assert all(part.is_integer() for part in parts)
        assert math.fsum(parts) == rate


@given(RATES, COUNTS)
def test_what_the_parts_let_through_together_is_what_the_whole_would(rate: float, count: int) -> None:
    most = math.ceil(rate)
    if most < count:
        return
    parts = [share.of_rate(rate) for share in shares(count)]
    # Each part lets ceil(part) sends pass in ceil(part) / part seconds; these periods are the whole's own.
    assert sum(math.ceil(part) for part in parts) == most
    for part in parts:
        assert math.ceil(part) / part == pytest.approx(most / rate, rel=1e-12)


def test_a_hundred_by_three() -> None:
    assert [share.of_rate(100) for share in shares(3)] == [34, 33, 33]
