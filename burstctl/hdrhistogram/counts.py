"""The counts array of an HdrHistogram: values in buckets of powers of two, each divided evenly. Knows no encoding.

Bucket b holds values in steps of 2**b; all but the first use only the upper half of their sub-buckets, since the lower
half is what the bucket before them holds more finely.
"""

from collections.abc import Iterable, Iterator, Sequence

SIGNIFICANT_DIGITS = 3
LOWEST, HIGHEST = 1, 3_600_000_000_000
"""The range of values that are told apart; in nanoseconds up to an hour."""

_SUB_BUCKETS = 2048
"""The power of two that keeps three significant digits: 2 * 10**3 rounded up."""
_HALF = _SUB_BUCKETS // 2


def count(samples: Iterable[tuple[int, int]]) -> list[int]:
    """Count samples, each a value and how often it was seen, as far as the largest of them; values are clamped."""
    counts: list[int] = []
    for value, times in samples:
        place = _place(min(max(value, 0), HIGHEST))
        if place >= len(counts):
            counts.extend([0] * (place + 1 - len(counts)))
        counts[place] += times
    return counts


def values(counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give the samples back, ascending, each value to within 0.05 %: the middle of its place."""
    for place, times in enumerate(counts):
        if times:
            bucket = max(0, place // _HALF - 1)
            step = 1 << bucket
            yield ((place - bucket * _HALF) << bucket) + step // 2, times


def most_places() -> int:
    """Give the length of the longest counts array."""
    return _place(HIGHEST) + 1


def _place(value: int) -> int:
    bucket = max(0, value.bit_length() - _SUB_BUCKETS.bit_length() + 1)
    return bucket * _HALF + (value >> bucket)
