"""The default controller: a rate that learns quotas, a window that keeps latency. Sorts answers to the two."""

import random

from burstctl.attempt import Attempt, Fault
from burstctl.control.rate import QuotaRate
from burstctl.control.window import Window
from burstctl.learnt import Learnt
from burstctl.plan import RateLimit

_OUR_OWN = frozenset({Fault.CANCELLED, Fault.REQUEST, Fault.TOO_LARGE})
"""Faults that say nothing of the server's health."""


class AdaptiveController:
    """429 moves the rate; latency, 503 and lasting errors move the window."""

    __slots__ = ("_ceiling_per_s", "_full_is_quota", "_rate", "_window")

    def __init__(self, limit: RateLimit, rng: random.Random, part: float = 1.0) -> None:
        """`part` is this job's of the ceiling, where it is one of several."""
        self._full_is_quota = False
        self._ceiling_per_s = limit.rate_per_s
        self._rate = QuotaRate(limit.rate_per_s, rng)
        self._window = Window(
            part * limit.rate_per_s, limit.most_in_flight, limit.target_latency_s, limit.base_latency_s
        )

    def rate_per_s(self) -> float:
        return self._rate.rate_per_s()

    def window(self) -> float:
        return self._window.size

    def open_at(self) -> float:
        return self._rate.pause_until

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        self._rate.sent(now_s)
        self._window.sent(now_s, in_flight)

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        answer, sent_s = attempt.answer, attempt.sent_s
        now_s = answer.done_s
        if attempt.quota is not None:
            self._rate.announced(attempt.quota, now_s, in_flight)
        if answer.status == 429:
            self._rate.refused(sent_s, now_s, attempt.retry_after_s)
            self._window.refused(sent_s, now_s, in_flight)
        elif answer.status == 503:
            self._rate.asked_to_wait(now_s, attempt.retry_after_s)
            self._window.full(sent_s, now_s, in_flight)
            # Some servers enforce a rate by 503 (nginx does): that is learnt as from a 429.
            self._full_is_quota |= self._window.is_helpless
            if self._full_is_quota:
                self._rate.refused(sent_s, now_s, None)
        elif attempt.succeeded or (answer.status is not None and answer.status < 300):
            self._window.succeeded(attempt.serial, sent_s, now_s, in_flight)
        elif answer.fault in _OUR_OWN or (answer.status is not None and answer.status < 500):
            self._window.refused(sent_s, now_s, in_flight)
        else:
            self._window.ambiguous(sent_s, now_s, in_flight)

    def tick(self, now_s: float, in_flight: int) -> None:
        self._rate.tick(now_s)
        self._window.tick(now_s, in_flight, self._rate.pause_until)

    def weigh(self, fraction: float) -> None:
        """Take note which part of all jobs' sends are this one's."""
        self._rate.weight = 1.0 / fraction
        self._window.ceiling_per_s = fraction * self._ceiling_per_s

    def has_news(self) -> bool:
        return self._rate.has_news()

    def tell(self, now_s: float) -> Learnt:
        """Give what other jobs should know."""
        cut, pause_s = self._rate.tell(now_s)
        return Learnt(self._window.unloaded_s, pause_s, cut)

    def hear(self, learnt: Learnt, now_s: float) -> None:
        """Take what other jobs learnt of the same server."""
        if learnt.base_latency_s is not None:
            self._window.hear_unloaded(learnt.base_latency_s)
        if learnt.cut is not None:
            self._rate.hear(learnt.cut, now_s)
        if learnt.pause_s > 0:
            self._rate.hear_pause(now_s, learnt.pause_s)
