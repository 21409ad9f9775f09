"""A distribution of durations in bounded memory. Knows nothing of what the durations mean.

Exact up to `EXACT` samples, then a log-linear histogram (1,024 buckets an octave) whose percentiles are off by at most
`RELATIVE_ERROR`. A percentile is an order statistic by nearest rank: a value that was really seen, or its bucket.
"""

import math
from array import array
from bisect import bisect_left
from collections.abc import Iterator

from burstctl.summary import Spread

EXACT = 100_000
_BATCH = 1000
_BUCKETS = 1024
_ZERO = -1_000_000_000
"""The bucket of 0, below all others."""
RELATIVE_ERROR = 0.0005
"""Half a bucket's width: 0.05 %."""


class Distribution:
    """Collects durations in milliseconds."""

    __slots__ = ("_buckets", "_count", "_max", "_min", "_most", "_sum", "_values")

    def __init__(self) -> None:
        self._values = array("d")
        """Not yet sorted into buckets; the figures below are of those that are."""
        self._most = EXACT
        """Values that may lie loose: by the thousand once there are buckets, which cost several appends for each."""
        self._buckets: dict[int, int] = {}
        self._count = 0
        self._sum = 0.0
        self._min, self._max = math.inf, -math.inf

    def add(self, value_ms: float) -> None:
        """Record one duration; a negative one (a clock's rounding) counts as 0."""
        values = self._values
        values.append(value_ms if value_ms > 0.0 else 0.0)
        if len(values) > self._most:
            self._coarsen()

    @property
    def count(self) -> int:
        return self._count + len(self._values)

    def spread(self) -> Spread:
        """Give the figures of what was recorded so far."""
        count = self.count
        if not count:
            return Spread()
        if self._buckets:
            self._coarsen()
        values = self._values if self._buckets else array("d", sorted(self._values))
        self._values = values
        ranks = [math.ceil(share * count) for share in (0.5, 0.75, 0.9, 0.95, 0.99, 0.999)]
        p50, p75, p90, p95, p99, p999 = self._at_ranks(ranks)
        return Spread(
            count=count,
            min=min(values, default=self._min),
            mean=(self._sum + math.fsum(values)) / count,
            p50=p50,
            p75=p75,
            p90=p90,
            p95=p95,
            p99=p99,
            p999=p999,
            max=max(values, default=self._max),
            relative_error=RELATIVE_ERROR if self._buckets else 0.0,
            histogram=tuple(self._histogram()),
        )

    def merge(self, other: "Distribution") -> None:
        """Add all of another distribution's samples; as exact as the total number allows."""
        self._values.extend(other._values)
        if not other._buckets:
            if self._buckets or len(self._values) > EXACT:
                self._coarsen()
            return
        self._coarsen()
        for bucket, count in other._buckets.items():
            self._buckets[bucket] = self._buckets.get(bucket, 0) + count
        self._most = _BATCH
        self._count += other._count
        self._sum += other._sum
        self._min, self._max = min(self._min, other._min), max(self._max, other._max)

    def _coarsen(self) -> None:
        """Sort the loose values into their buckets."""
        values, buckets = self._values, self._buckets
        for value_ms in values:
            bucket = _bucket(value_ms)
            buckets[bucket] = buckets.get(bucket, 0) + 1
        self._count += len(values)
        self._sum += math.fsum(values)
        self._min = min(self._min, min(values, default=self._min))
        self._max = max(self._max, max(values, default=self._max))
        self._values = array("d")
        self._most = _BATCH if buckets else EXACT

    def _at_ranks(self, ranks: list[int]) -> list[float]:
        """Give the values at ascending ranks, counted from 1; loose values are in order."""
        if not self._buckets:
            return [self._values[rank - 1] for rank in ranks]
        found: list[float] = []
        seen = 0
        for bucket in sorted(self._buckets):
            seen += self._buckets[bucket]
            while len(found) < len(ranks) and seen >= ranks[len(found)]:
                found.append(min(self._max, max(self._min, _middle(bucket))))
        return found

    def _histogram(self) -> Iterator[tuple[int, int]]:
        """Count by bucket, ascending; loose values are in order."""
        if self._buckets:
            for bucket in sorted(self._buckets):
                yield round(_middle(bucket) * 1e6), self._buckets[bucket]
            return
        values, at = self._values, 0
        while at < len(values):  # from bucket to bucket, not from value to value: a hundred times as fast
            bucket = _bucket(values[at])
            end = max(at + 1, bisect_left(values, _start(bucket + 1), at))
            yield round(_middle(bucket) * 1e6), end - at
            at = end


def _bucket(value: float) -> int:
    """Give the bucket of a value that is not negative."""
    if value <= 0.0:
        return _ZERO
    mantissa, exponent = math.frexp(value)
    return exponent * _BUCKETS + int((mantissa - 0.5) * 2 * _BUCKETS)


def _middle(bucket: int) -> float:
    return 0.0 if bucket == _ZERO else _value(bucket, 0.5)


def _start(bucket: int) -> float:
    return math.nextafter(0.0, 1.0) if bucket == _ZERO + 1 else _value(bucket, 0.0)


def _value(bucket: int, part_of_it: float) -> float:
    exponent, part = divmod(bucket, _BUCKETS)
    return math.ldexp(0.5 + (part + part_of_it) / (2 * _BUCKETS), exponent)
