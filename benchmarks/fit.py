"""How far arrivals are from an ideal schedule. Pure figures; knows nothing of clients and servers."""

import statistics
from collections.abc import Sequence


def arrival_errors_ms(arrived_s: Sequence[float], rate_per_s: float) -> list[float]:
    """Give each arrival's distance from the even schedule of this rate that fits best, in order of size."""
    offsets_s = [at_s - place / rate_per_s for place, at_s in enumerate(sorted(arrived_s))]
    start_s = statistics.median(offsets_s)
    return sorted(abs(offset_s - start_s) * 1000 for offset_s in offsets_s)


def most_in_any_second(arrived_s: Sequence[float]) -> int:
    """Count the most arrivals in a half-open second, wherever it begins."""
    ordered, most, first = sorted(arrived_s), 0, 0
    for last, at_s in enumerate(ordered):
        while at_s - ordered[first] >= 1.0:
            first += 1
        most = max(most, last - first + 1)
    return most


def achieved_per_s(arrived_s: Sequence[float]) -> float:
    """Give the mean rate between the first and the last arrival."""
    return (len(arrived_s) - 1) / (max(arrived_s) - min(arrived_s))


def percentile(ordered: Sequence[float], share: float) -> float:
    """Give the value that a share of the values does not exceed."""
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
