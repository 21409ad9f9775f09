"""The hard cap on sends, whatever schedule and controller ask for. Knows nothing of why a send is wanted.

A leaky bucket keeps bursts small; a ring of the last send times makes the promise literal: with k = ceil(rate),
no half-open interval of k / rate seconds holds more than k sends.
"""

import math
from array import array

from aiolimiter import AsyncLimiter

# Longer than any timer granularity, shorter than anything that a server's queue would notice.
BURST_S = 0.005

# The promise must survive being checked with sums and differences in another order than ours.
_ROUNDING_S = 1e-6


class Ceiling:
    """Lets a send pass or tells when it may; sends are stamped again when they really go out."""

    __slots__ = ("_bucket", "_next", "_period_s", "_ring", "_size", "tolerance_s")

    def __init__(self, rate_per_s: float) -> None:
        self._size = math.ceil(rate_per_s)
        self._period_s = self._size / rate_per_s + _ROUNDING_S
        self._ring = array("d")
        self._next = 0
        # With a burst of 1 no late wake-up could be made up: 100/s would reach about 93/s.
        burst = max(2, math.ceil(BURST_S * rate_per_s))
        self._bucket = AsyncLimiter(burst, burst / rate_per_s)
        self.tolerance_s = min(BURST_S, (burst - 1) / rate_per_s)
        """How late a send may be and still be made up without the bucket in its way."""

    def open_at(self) -> float:
        """Tell when the ring lets the next send pass."""
        return self._ring[self._next] + self._period_s if len(self._ring) == self._size else -math.inf

    def has_capacity(self) -> bool:
        """Tell whether the bucket lets a send pass now."""
        return self._bucket.has_capacity()

    async def enter(self, now_s: float) -> int:
        """Let one send pass, both gates being open; return its place for `stamp`."""
        await self._bucket.acquire()
        place = self._next
        if place == len(self._ring):
            self._ring.append(now_s)
        else:
            self._ring[place] = now_s
        self._next = (place + 1) % self._size
        return place

    def stamp(self, place: int, sent_s: float) -> None:
        """Note when that send really went out: it holds back its k-th successor, not the moment it was allowed."""
        self._ring[place] = sent_s
