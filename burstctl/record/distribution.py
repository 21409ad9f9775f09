"""A distribution of durations in bounded memory. Knows nothing of what the durations mean.

Exact up to `EXACT` samples, then a log-linear histogram (1,024 buckets an octave) whose percentiles are off by at most
`RELATIVE_ERROR`. A percentile is an order statistic by nearest rank: a value that was really seen, or its bucket.
"""

import math
from array import array
from collections.abc import Iterable

from burstctl.summary import Spread

EXACT = 100_000
_BUCKETS = 1024
_ZERO = -1_000_000_000
"""The bucket of 0, below all others."""
RELATIVE_ERROR = 0.0005
"""Half a bucket's width: 0.05 %."""


class Distribution:
    """Collects durations in milliseconds."""

    __slots__ = ("_buckets", "_max", "_min", "_sum", "_values", "count")

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0.0
        self._min, self._max = math.inf, -math.inf
        self._values: array[float] | None = array("d")
        self._buckets: dict[int, int] = {}

    def add(self, value_ms: float) -> None:
        """Record one duration; a negative one (a clock's rounding) counts as 0."""
        value_ms = max(0.0, value_ms)
        self.count += 1
        self._sum += value_ms
        if value_ms < self._min:
            self._min = value_ms
        if value_ms > self._max:
            self._max = value_ms
        if self._values is None:
            bucket = _bucket(value_ms)
            self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
            return
        self._values.append(value_ms)
        if self.count > EXACT:
            self._coarsen()

    def spread(self) -> Spread:
        """Give the figures of what was recorded so far."""
        if not self.count:
            return Spread()
        ranks = [math.ceil(share * self.count) for share in (0.5, 0.75, 0.9, 0.95, 0.99, 0.999)]
        p50, p75, p90, p95, p99, p999 = self._at_ranks(ranks)
        return Spread(
            count=self.count,
            min=self._min,
            mean=self._sum / self.count,
            p50=p50,
            p75=p75,
            p90=p90,
            p95=p95,
            p99=p99,
            p999=p999,
            max=self._max,
            relative_error=0.0 if self._values is not None else RELATIVE_ERROR,
        )

    def merge(self, other: "Distribution") -> None:
        """Add all of another distribution's samples; as exact as the total number allows."""
        if not other.count:
            return
        self.count += other.count
        self._sum += other._sum
        self._min, self._max = min(self._min, other._min), max(self._max, other._max)
        if self._values is not None and other._values is not None and self.count <= EXACT:
            self._values.extend(other._values)
            return
        if self._values is not None:
            self._coarsen()
        for bucket, count in other._counted():
            self._buckets[bucket] = self._buckets.get(bucket, 0) + count

    def _counted(self) -> Iterable[tuple[int, int]]:
        if self._values is None:
            return self._buckets.items()
        return ((_bucket(value_ms), 1) for value_ms in self._values)

    def _coarsen(self) -> None:
        for bucket, count in self._counted():
            self._buckets[bucket] = self._buckets.get(bucket, 0) + count
        self._values = None

    def _at_ranks(self, ranks: list[int]) -> list[float]:
        """Give the values at ascending ranks, counted from 1."""
        if self._values is not None:
            ordered = sorted(self._values)
            return [ordered[rank - 1] for rank in ranks]
        found: list[float] = []
        seen = 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            while len(found) < len(ranks) and seen >= ranks[len(found)]:
                found.append(min(self._max, max(self._min, _middle(bucket))))
        return found


def _bucket(value: float) -> int:
    """Give the bucket of a value that is not negative."""
    if value <= 0.0:
        return _ZERO
    mantissa, exponent = math.frexp(value)
    return exponent * _BUCKETS + int((mantissa - 0.5) * 2 * _BUCKETS)


def _middle(bucket: int) -> float:
    if bucket == _ZERO:
        return 0.0
    exponent, part = divmod(bucket, _BUCKETS)
    return math.ldexp(0.5 + (part + 0.5) / (2 * _BUCKETS), exponent)
