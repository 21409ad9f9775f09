"""The quota's promise, and how its headers put it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.fleet.quota import TokenBucket
from burstctl.fleet.spec import Quota


@given(
    rate=st.floats(0.1, 1000),
    bucket=st.floats(1, 100),
    gaps=st.lists(st.floats(0, 2) | st.just(0.0), min_size=1, max_size=200),
)
def test_any_stretch_of_time_gets_at_most_bucket_plus_rate_times_time(
    rate: float, bucket: float, gaps: list[float]
) -> None:
    tokens = TokenBucket(Quota(rate, bucket), 0.0)
    now_s, accepted = 0.0, []
    for gap in gaps:
        now_s += gap
        if tokens.take(now_s):
            accepted.append(now_s)
    for first, begin in enumerate(accepted):
        for last in range(first, len(accepted)):
            assert last - first + 1 <= bucket + rate * (accepted[last] - begin) + 1e-6


def test_it_starts_full_and_tells_how_long_until_the_next_token() -> None:
    tokens = TokenBucket(Quota(2.0, 3), 10.0)
    assert [tokens.take(10.0) for _ in range(4)] == [True, True, True, False]
    assert tokens.wait_s(10.0) == pytest.approx(0.5)
    assert tokens.take(10.5)
    assert not tokens.take(10.9)


@pytest.mark.parametrize(
    ("rate", "policy"),
    [
        (150.0, '"default";q=150;w=1'),
        (0.5, '"default";q=1;w=2'),
        (1.5, '"default";q=3;w=2'),
        (100 / 60, '"default";q=5;w=3'),
        (1 / 3600, '"default";q=1;w=3600'),
    ],
)
def test_the_policy_is_whole_requests_in_whole_seconds(rate: float, policy: str) -> None:
    assert TokenBucket(Quota(rate, 1), 0.0).policy() == policy


def test_the_limit_is_what_the_window_can_yield_and_nothing_while_blocked() -> None:
    tokens = TokenBucket(Quota(150.0, 15), 0.0)
    assert tokens.limit(0.0) == '"default";r=165;t=1'
    for _ in range(15):
        tokens.take(0.0)
    assert tokens.limit(0.0) == '"default";r=150;t=1'
    assert tokens.limit(0.0, blocked_s=2) == '"default";r=0;t=2'
