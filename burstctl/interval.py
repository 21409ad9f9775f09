"""How sure a percentile is: the distribution-free confidence interval between two of its samples. Judges nothing.

The number of samples below the true percentile is binomial, so two order statistics enclose it, whatever the
distribution (David and Nagaraja, Order Statistics, 7.1). Exact up to 2,000 samples, then by the normal approximation.
"""

import math
from collections.abc import Iterator, Sequence

CONFIDENCE = 0.95
_Z = 1.959963984540054
_EXACT = 2000


def interval(histogram: Sequence[tuple[int, int]], share: float) -> tuple[float, float] | None:
    """Give the interval of the percentile at `share` (0.95 for p95) in the histogram's unit.

    Ascending values, each with how often it was seen. None where the samples are too few to enclose it on both sides.
    """
    count = sum(times for _, times in histogram)
    ranks = _ranks(count, share)
    if ranks is None:
        return None
    low, high = _at_ranks(histogram, ranks)
    return low, high


def _ranks(count: int, share: float) -> tuple[int, int] | None:
    """Give the ranks, counted from 1, of the two samples that enclose it; None where one of them does not exist."""
    tail = (1 - CONFIDENCE) / 2
    if count > _EXACT:
        middle, width = count * share, _Z * math.sqrt(count * share * (1 - share))
        low, high = math.floor(middle - width), math.ceil(middle + width) + 1
        return (low, high) if low >= 1 and high <= count else None
    low = high = 0
    below = 0.0
    for number, chance in enumerate(_binomial(count, share)):
        if below + chance <= tail:
            low = number + 1
        below += chance
        if below >= 1 - tail:
            high = number + 1
            break
    return (low, high) if low >= 1 and 1 <= high <= count else None


def _binomial(count: int, share: float) -> Iterator[float]:
    """Give the chances of 0, 1, … count samples below."""
    for number in range(count + 1):
        ways = math.lgamma(count + 1) - math.lgamma(number + 1) - math.lgamma(count - number + 1)
        yield math.exp(ways + number * math.log(share) + (count - number) * math.log1p(-share))


def _at_ranks(histogram: Sequence[tuple[int, int]], ranks: Sequence[int]) -> list[float]:
    found: list[float] = []
    seen = 0
    for value, times in histogram:
        seen += times
        while len(found) < len(ranks) and seen >= ranks[len(found)]:
            found.append(float(value))
    return found
