"""What 429s teach: the quota within a few percent, at the price of a few refused requests; pauses are honoured."""

import random

import pytest

from burstctl.attempt import Quota
from burstctl.control.controller import TICK_S
from burstctl.control.rate import QuotaRate


class Bucket:
    """A server's token bucket."""

    def __init__(self, rate: float, size: float) -> None:
        self.rate, self.size, self.tokens, self.at = rate, size, size, 0.0

    def accepts(self, now_s: float) -> bool:
        self.tokens, self.at = min(self.size, self.tokens + (now_s - self.at) * self.rate), now_s
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


def simulate(
    quota: float, size: float, retry_after_s: float | None, seconds: float
) -> tuple[list[float], int, QuotaRate]:
    """Send as fast as the rate allows against a bucket; give the accepted sends' times and the number refused."""
    rate, bucket = QuotaRate(300.0, random.Random(1)), Bucket(quota, size)
    now_s, next_tick_s, accepted, refused = 0.0, TICK_S, list[float](), 0
    while now_s < seconds:
        now_s = max(now_s + 1 / rate.rate_per_s(), rate.pause_until)
        while next_tick_s < now_s:
            rate.tick(next_tick_s)
            next_tick_s += TICK_S
        rate.sent(now_s)
        if bucket.accepts(now_s):
            accepted.append(now_s)
        else:
            refused += 1
            rate.refused(now_s, now_s + 0.01, retry_after_s)
    return accepted, refused, rate


@pytest.mark.parametrize(("quota", "size"), [(150, 15), (150, 150), (60, 60), (240, 30)])
def test_a_quota_is_found_and_used(quota: float, size: float) -> None:
    accepted, refused, rate = simulate(quota, size, 1.0, 30.0)
    assert len(accepted) >= 0.93 * (size + 30 * quota)
    assert refused <= 0.03 * len(accepted)
    assert rate.rate_per_s() <= 1.05 * quota


def test_a_long_retry_after_stops_everything_until_then() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    rate.sent(0.0)
    rate.refused(0.0, 0.1, 5.0)
    assert 5.1 <= rate.pause_until <= 5.1 + 0.05 * 5.0


def test_a_short_retry_after_stops_only_the_refused_request() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    rate.sent(0.0)
    rate.refused(0.0, 0.1, 1.0)
    assert rate.pause_until < 0
    assert rate.rate_per_s() == pytest.approx(225)


def test_answers_to_sends_before_the_cut_do_not_cut_again() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    for i in range(10):
        rate.sent(i * 0.003)
    for i in range(10):
        rate.refused(i * 0.003, 0.2 + i * 0.001, None)
    assert rate.rate_per_s() == pytest.approx(225)


def test_a_quota_that_is_lifted_is_noticed() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    rate.sent(0.0)
    rate.refused(0.0, 0.1, None)
    for tick in range(int(40 / TICK_S)):
        rate.tick(0.1 + tick * TICK_S)
    assert rate.rate_per_s() == 300.0


@pytest.mark.parametrize(("rate", "usable"), [(150.0, 0.0), (60.0, 60.0)])
def test_an_announced_quota_needs_no_refusal_to_be_kept(rate: float, usable: float) -> None:
    bucket, learnt, now_s, sent, refused = Bucket(rate, usable + 1), QuotaRate(300.0, random.Random(1)), 0.0, 0, 0
    learnt.announced(Quota(rate, usable), now_s, 0)
    while now_s < 20.0:
        learnt.sent(now_s)
        sent += 1
        refused += not bucket.accepts(now_s)
        learnt.announced(Quota(rate, bucket.tokens), now_s, 0)
        now_s += 1 / learnt.rate_per_s()
        learnt.tick(now_s)
    assert refused == 0
    assert sent >= 0.97 * (usable + 20 * rate)


def test_an_exhausted_window_is_waited_for() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    rate.announced(Quota(usable=3, reset_s=20), 100.0, in_flight=3)
    assert rate.pause_until == 120.0


@pytest.mark.parametrize("wait_s", [3600.0, 7200.0])
def test_a_wait_that_no_request_is_given_does_not_stop_the_run_either(wait_s: float) -> None:
    rate = QuotaRate(300.0, random.Random(1))
    for i in range(10):
        rate.sent(i / 10)
        rate.refused(i / 10, i / 10 + 0.5, wait_s)
    rate.asked_to_wait(2.0, wait_s)
    assert rate.pause_until < 0


def test_an_announced_quota_of_next_to_nothing_does_not_stop_the_run_in_silence() -> None:
    rate = QuotaRate(300.0, random.Random(1))
    rate.announced(Quota(1e-6), 0.0, 0)
    assert rate.rate_per_s() == pytest.approx(1 / 60)
