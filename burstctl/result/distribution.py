"""Joins saved distributions: count, mean and extremes exactly, percentiles within 0.1 %. Knows no run."""

import math
from collections import Counter
from collections.abc import Sequence

from burstctl.errors import UsageError
from burstctl.summary import Spread

RELATIVE_ERROR = 0.001
"""Half a bucket when it was recorded, half a place when it was written."""

_SHARES = {"p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}


def join_spreads(spreads: Sequence[Spread]) -> Spread:
    """Join distributions; what alone has samples stays as it is."""
    given = [spread for spread in spreads if spread.count]
    if len(given) < 2:
        return given[0] if given else Spread()
    if not all(spread.histogram for spread in given):
        raise UsageError("a result has no histograms to be merged", hint="repeat the run with this version")
    counts: Counter[int] = Counter()
    for spread in given:
        for value_ns, times in spread.histogram:
            counts[value_ns] += times
    histogram = tuple(sorted(counts.items()))
    count = sum(spread.count for spread in given)
    least = min(spread.min for spread in given if spread.min is not None)
    most = max(spread.max for spread in given if spread.max is not None)
    percentiles = {
        name: min(most, max(least, _at_rank(histogram, math.ceil(share * count)) / 1e6))
        for name, share in _SHARES.items()
    }
    return Spread(
        count=count,
        min=least,
        mean=sum(spread.count * (spread.mean or 0.0) for spread in given) / count,
        **percentiles,
        max=most,
        relative_error=RELATIVE_ERROR,
        histogram=histogram,
    )


def _at_rank(histogram: Sequence[tuple[int, int]], rank: int) -> int:
    seen = 0
    for value, times in histogram:
        seen += times
        if seen >= rank:
            return value
    return histogram[-1][0]
