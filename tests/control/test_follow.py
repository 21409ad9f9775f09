"""A queue that latency does not show caps window and rate, and lets them go again."""

import math

import pytest

from burstctl.control.fixed import FixedController
from burstctl.control.follow import FollowingController


def following(window: int = 100) -> FollowingController:
    return FollowingController(FixedController(300.0, window), keep_under=60.0, every_s=1.0, now_s=0.0)


def test_it_takes_nothing_away_while_the_queue_is_short() -> None:
    controller = following()
    controller.tick(1.0, 80)
    controller.hear(60.0)
    assert (controller.window(), controller.rate_per_s(), controller.cuts) == (100, 300.0, 0)


def test_a_long_queue_cuts_what_is_in_flight_by_how_far_it_is_over() -> None:
    controller = following()
    controller.tick(1.0, 80)
    controller.hear(120.0)
    assert controller.window() == pytest.approx(40.0)
    controller.hear(120.0)
    assert controller.window() == pytest.approx(20.0)
    assert controller.cuts == 2


def test_one_reading_never_cuts_by_more_than_to_three_tenths() -> None:
    controller = following()
    controller.tick(1.0, 100)
    controller.hear(1e9)
    assert controller.window() == pytest.approx(30.0)


def test_below_one_request_it_is_the_rate_that_shrinks() -> None:
    controller = following()
    controller.tick(1.0, 1)
    for _ in range(3):
        controller.hear(120.0)
    assert controller.window() == 1.0
    assert controller.rate_per_s() == pytest.approx(300.0 / 8)
    for _ in range(50):
        controller.hear(1e9)
    assert 0.0 < controller.rate_per_s() <= 3.0


def test_it_lets_go_by_steps_once_the_queue_is_short_again() -> None:
    controller = following()
    controller.tick(1.0, 80)
    controller.hear(120.0)
    controller.hear(40.0)  # under the bound, but not by much: as it is
    assert controller.window() == pytest.approx(40.0)
    controller.hear(10.0)
    assert controller.window() == pytest.approx(50.0)
    for _ in range(10):
        controller.hear(0.0)
    assert controller.window() == 100


def test_a_probe_that_falls_silent_caps_nothing() -> None:
    controller = following()
    controller.tick(1.0, 80)
    controller.hear(600.0)
    controller.tick(5.9, 10)
    assert controller.window() < 100
    controller.tick(6.1, 10)
    assert controller.window() == 100
    assert controller.open_at() == -math.inf
