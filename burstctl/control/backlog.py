"""Which request goes next: ready retries before first attempts, as far as their budget goes. Knows neither gate."""

import heapq
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

from burstctl.attempt import Attempt
from burstctl.control.retry import RetryBudget
from burstctl.plan import Request

_MOST_WAITING = 10_000
"""With so many requests between two attempts no new one is begun: memory stays bounded when everything fails."""


@dataclass(slots=True)
class Pending:
    """A request that was begun and has no outcome yet."""

    request: Request
    due_s: float
    ready_s: float
    """When its next attempt may go: its due time, or the end of its backoff."""
    attempts: int = 0
    first_sent_s: float | None = None
    last: Attempt | None = None


class Backlog:
    """What is left to send; times in seconds of the run's clock."""

    __slots__ = ("_budget", "_fresh", "_interval_s", "_next", "_order", "_position", "_start_s", "_waiting")

    def __init__(self, requests: Iterator[Request], ceiling_per_s: float, budget: RetryBudget, start_s: float) -> None:
        self._fresh = requests
        self._interval_s = 1.0 / ceiling_per_s
        self._budget = budget
        self._start_s = start_s
        self._position = 0
        self._next = next(requests, None)
        self._waiting: list[tuple[float, int, Pending]] = []
        self._order = itertools.count()

    def __len__(self) -> int:
        """Tell how many requests are between two attempts."""
        return len(self._waiting)

    @property
    def empty(self) -> bool:
        return self._next is None and not self._waiting

    def ready_at(self, now_s: float) -> float:
        """Tell when something may be sent; in the past if it may now, infinite if only an answer can change that."""
        if not self._waiting:
            return math.inf if self._next is None else -math.inf
        if self._retry_is_next(now_s) or self._may_begin():
            return -math.inf
        if self._budget_free() or self._budget.allows():
            return self._waiting[0][0]
        return math.inf

    def take(self, now_s: float) -> Pending:
        """Give the request to be sent now, `ready_at` having allowed it."""
        if self._waiting and self._retry_is_next(now_s):
            if self._budget.allows():
                self._budget.spend()
            return heapq.heappop(self._waiting)[2]
        request = self._next
        assert request is not None
        due_s = self._start_s + self._position * self._interval_s
        if request.broken is None:  # what is never sent takes nobody's slot
            self._position += 1
        self._next = next(self._fresh, None)
        return Pending(request, due_s, due_s)

    def defer(self, pending: Pending, ready_s: float) -> None:
        """Put a request back for another attempt."""
        pending.ready_s = ready_s
        heapq.heappush(self._waiting, (ready_s, next(self._order), pending))

    def abandon(self) -> Iterator[Pending]:
        """Give up on every request that waits for another attempt."""
        while self._waiting:
            yield heapq.heappop(self._waiting)[2]

    def _retry_is_next(self, now_s: float) -> bool:
        return self._waiting[0][0] <= now_s and (self._budget.allows() or self._budget_free())

    def _budget_free(self) -> bool:
        """Tell whether retries need no budget because they are all that can be sent."""
        return not self._may_begin()

    def _may_begin(self) -> bool:
        return self._next is not None and len(self._waiting) < _MOST_WAITING
