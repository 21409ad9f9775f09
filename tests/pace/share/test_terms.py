"""A ceiling in permits: so many sends in each period are the ceiling, at any rate."""

import math

from hypothesis import given
from hypothesis import strategies as st

from burstctl.pace.share.terms import terms_of


def test_three_hundred_a_second_are_three_hundred_permits_of_a_second() -> None:
    terms = terms_of(300.0, 200)
    assert (terms.permits, terms.window) == (300, 200)
    assert 1.0 < terms.period_s < 1.00001


@given(st.floats(0.01, 1_000_000.0))
def test_permits_never_add_up_to_more_than_the_ceiling(rate_per_s: float) -> None:
    terms = terms_of(rate_per_s, 200)
    assert 1 <= terms.permits <= 512
    periods = math.ceil(math.ceil(rate_per_s) / 512)
    # So many whole periods are the ceiling's own, in which it allows ceil(rate) sends.
    assert terms.permits * periods <= math.ceil(rate_per_s)
    assert terms.period_s * periods >= math.ceil(rate_per_s) / rate_per_s


@given(st.floats(0.01, 30_000.0))
def test_next_to_nothing_of_the_ceiling_is_lost(rate_per_s: float) -> None:
    terms = terms_of(rate_per_s, 200)
    assert terms.permits / terms.period_s >= 0.99 * rate_per_s
