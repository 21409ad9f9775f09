"""How long requests waited for a slot, as a histogram of bounded size. Knows nothing of requests."""

import math
from dataclasses import dataclass

_FINEST_MS = 0.01
_GROWTH = 1.01


@dataclass(frozen=True, slots=True)
class QueueWait:
    """Waits in ms; percentiles are within 0.5 %, `max` is exact."""

    count: int
    p50: float
    p95: float
    p99: float
    max: float


class QueueWaits:
    """Counts waits in buckets that grow by 1 %."""

    __slots__ = ("_buckets", "_count", "_max_ms")

    def __init__(self) -> None:
        self._buckets: dict[int, int] = {}
        self._count = 0
        self._max_ms = 0.0

    def add(self, wait_s: float) -> None:
        wait_ms = wait_s * 1000
        bucket = 0 if wait_ms <= _FINEST_MS else 1 + int(math.log(wait_ms / _FINEST_MS, _GROWTH))
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
        self._count += 1
        self._max_ms = max(self._max_ms, wait_ms)

    def figures(self) -> QueueWait | None:
        """Sum up; None without a single wait."""
        if not self._count:
            return None
        return QueueWait(self._count, self._rank(0.5), self._rank(0.95), self._rank(0.99), self._max_ms)

    def _rank(self, share: float) -> float:
        left = math.ceil(share * self._count)
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                return min(self._max_ms, _FINEST_MS * _GROWTH ** (bucket - 0.5)) if bucket else 0.0
        return self._max_ms
