"""Whether and when an attempt is tried again. Knows neither rate nor window: retries pass the gates of all sends."""

import random

from burstctl.attempt import NO_CONNECTION, Attempt
from burstctl.plan import Request, Retry

_FIRST_S = 0.1
_LONGEST_S = 10.0

LONGEST_WAIT_S = 600.0
"""A server that asks for more than this is not waited for: a pipeline has no use for it."""

_REFUSED = frozenset({429, 503})
"""Answers that say the server did not act on the request."""


class RetryPolicy:
    """Backs off by full jitter, never earlier than the server asked for."""

    __slots__ = ("_retry", "_rng")

    def __init__(self, retry: Retry, rng: random.Random) -> None:
        self._retry = retry
        self._rng = rng

    def delay_s(self, request: Request, attempt: Attempt, due_s: float) -> float | None:
        """Tell how long to wait after a failed attempt; None where there is no further one."""
        retry, answer = self._retry, attempt.answer
        if attempt.number >= retry.max_attempts or not self._covers(request, attempt):
            return None
        delay_s = self._rng.random() * min(_LONGEST_S, _FIRST_S * 2.0 ** (attempt.number - 1))
        if attempt.retry_after_s is not None:
            if attempt.retry_after_s > LONGEST_WAIT_S:
                return None
            delay_s = max(delay_s, attempt.retry_after_s)
        if retry.deadline_s is not None and answer.done_s + delay_s > due_s + retry.deadline_s:
            return None
        return delay_s

    def _covers(self, request: Request, attempt: Attempt) -> bool:
        answer = attempt.answer
        if answer.fault is not None:
            return answer.fault in self._retry.faults and (request.safe or answer.fault in NO_CONNECTION)
        # An answer with an expected status that fails another expectation would fail it again.
        if answer.status in request.expect.status or answer.status not in self._retry.statuses:
            return False
        return request.safe or answer.status in _REFUSED


class RetryBudget:
    """Bounds retries to a share of successes; an empty budget makes them wait, it never drops one."""

    __slots__ = ("_tokens",)

    _START = 20.0
    _PER_SUCCESS = 0.1
    _MOST = 100.0

    def __init__(self) -> None:
        self._tokens = self._START

    def allows(self) -> bool:
        return self._tokens >= 1.0

    def spend(self) -> None:
        self._tokens = max(0.0, self._tokens - 1.0)

    def earn(self) -> None:
        self._tokens = min(self._MOST, self._tokens + self._PER_SUCCESS)
