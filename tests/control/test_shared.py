"""A controller of one job among several: kept to its part, and taught by the others."""

import random
from dataclasses import dataclass

import pytest

from burstctl.attempt import Answer, Attempt
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.fixed import FixedController
from burstctl.control.shared import SharedController
from burstctl.learnt import Cut, Learnt
from burstctl.plan import RateLimit


@dataclass(slots=True)
class Part:
    fraction: float = 1 / 3
    window: int = 5


def adaptive(part: Part) -> SharedController:
    inner = AdaptiveController(RateLimit(300.0), random.Random(0))
    return SharedController(inner, inner, part)


def refuse(controller: SharedController, sent_s: float, now_s: float, retry_after_s: float | None = None) -> None:
    answer = Answer(now_s, status=429)
    controller.observe(Attempt(0, "p", 1, 0, sent_s, answer, retry_after_s=retry_after_s), 1)


def test_rate_and_window_are_the_parts() -> None:
    part = Part()
    controller = adaptive(part)
    assert controller.rate_per_s() == pytest.approx(100.0)
    assert controller.window() == 5
    part.fraction, part.window = 1.0, 200
    assert controller.rate_per_s() == 300.0
    assert controller.window() == controller.wanted_window() == 12


def test_a_refusal_is_news_once_and_tells_the_rate_of_all_jobs() -> None:
    controller = adaptive(Part())
    controller.sent(0, 0.0, 1)
    assert not controller.has_news()
    refuse(controller, 0.0, 0.5)
    assert controller.has_news()
    told = controller.tell(0.5)
    assert told.cut is not None
    assert told.cut.rate_per_s == 225.0
    assert controller.rate_per_s() == pytest.approx(75.0)
    assert not controller.has_news()
    assert controller.tell(0.6).cut is None


def test_another_job_s_refusal_slows_this_one_as_much_and_not_twice() -> None:
    controller = adaptive(Part())
    for serial in range(10):
        controller.sent(serial, 0.01 * serial, 1)
    controller.hear(Learnt(cut=Cut(225.0, 4.0)), 0.5)
    assert controller.rate_per_s() == pytest.approx(75.0)
    assert not controller.has_news()
    refuse(controller, 0.09, 0.55)  # sent before: the same event
    assert controller.rate_per_s() == pytest.approx(75.0)
    controller.tick(3.0, 1)
    assert controller.rate_per_s() == pytest.approx(75.0)


def test_what_a_third_of_the_sends_learns_of_a_quota_holds_for_all() -> None:
    part = Part()
    controller = adaptive(part)
    controller.tick(0.0, 0)
    # 150/s are accepted from all jobs: 50/s of this one's.
    now_s = 0.0
    for serial in range(100):
        now_s = serial / 50
        controller.sent(serial, now_s, 1)
        if serial in (49, 99):
            refuse(controller, now_s, now_s)
    assert controller.tell(now_s).cut is not None
    assert 130 <= controller.rate_per_s() / part.fraction <= 165


def test_a_pause_is_heard_and_never_echoed() -> None:
    controller = adaptive(Part())
    controller.hear(Learnt(pause_s=2.0), 1.0)
    assert controller.open_at() == 3.0
    assert not controller.has_news()
    assert controller.tell(1.1).pause_s == 0.0
    controller.sent(0, 5.0, 1)
    refuse(controller, 5.0, 5.1, retry_after_s=3.0)
    assert controller.tell(5.1).pause_s == pytest.approx(3.0, abs=0.2)


def test_the_unloaded_latency_comes_from_who_came_before_the_load() -> None:
    controller = adaptive(Part())
    controller.hear(Learnt(base_latency_s=0.4), 0.0)
    controller.hear(Learnt(base_latency_s=0.1), 0.0)
    assert controller.tell(0.0).base_latency_s == 0.4


def test_a_fixed_controller_learns_nothing_from_anybody() -> None:
    controller = SharedController(FixedController(300.0, 200), None, Part())
    controller.hear(Learnt(cut=Cut(10.0, 4.0), pause_s=9.0), 0.0)
    assert controller.rate_per_s() == pytest.approx(100.0)
    assert controller.open_at() < 0
    assert not controller.has_news()
