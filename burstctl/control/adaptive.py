"""The default controller: a rate that learns quotas and a window that protects queues. Sorts answers to the two."""

import random

from burstctl.attempt import Attempt, Fault
from burstctl.control.rate import QuotaRate
from burstctl.control.window import Window

MAX_IN_FLIGHT = 200
"""Requests in flight over all jobs, unless stated otherwise."""

_LATENCY_S = 0.2
"""The window is what the ceiling puts in flight at this latency."""

_OUR_OWN = frozenset({Fault.CANCELLED, Fault.REQUEST, Fault.TOO_LARGE})
"""Faults that say nothing of the server's health."""


class AdaptiveController:
    """429 moves the rate, 503 the window, other errors the window if they are many."""

    __slots__ = ("_rate", "_window")

    def __init__(self, ceiling_per_s: float, max_in_flight: int | None, rng: random.Random) -> None:
        self._rate = QuotaRate(ceiling_per_s, rng)
        self._window = Window(min(max_in_flight or MAX_IN_FLIGHT, max(2.0, _LATENCY_S * ceiling_per_s)))

    def rate_per_s(self) -> float:
        return self._rate.rate_per_s()

    def window(self) -> float:
        return self._window.size

    def open_at(self) -> float:
        return self._rate.pause_until

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        self._rate.sent(now_s)

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        answer, now_s = attempt.answer, attempt.answer.done_s
        if answer.status == 429:
            self._rate.refused(attempt.sent_s, now_s, attempt.retry_after_s)
            self._window.refused(now_s)
        elif answer.status == 503:
            self._window.full(attempt.sent_s, now_s)
        elif answer.fault is None and answer.status is not None and answer.status < 500:
            self._window.succeeded(now_s)
        elif answer.fault not in _OUR_OWN:
            self._window.ambiguous(attempt.sent_s, now_s)

    def tick(self, now_s: float, in_flight: int) -> None:
        self._rate.tick(now_s)
