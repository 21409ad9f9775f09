"""How soon jobs could be done at best, if requests were a fluid. Pure arithmetic; knows nothing of processes."""

from collections.abc import Sequence


def least_s(starts_s: Sequence[float], each: int, capacity_per_s: float, rates_per_s: Sequence[float]) -> float:
    """Give the time from the first start to the last end of jobs that send `each` requests.

    `rates_per_s[n - 1]` is what n jobs may send together while n of them have something to send.
    """
    now_s, waiting = min(starts_s), sorted(starts_s)
    left: list[float] = []
    while left or waiting:
        while waiting and waiting[0] <= now_s:
            waiting.pop(0)
            left.append(each)
        if not left:
            now_s = waiting[0]
            continue
        own_per_s = min(capacity_per_s, rates_per_s[len(left) - 1]) / len(left)
        end_s = now_s + min(left) / own_per_s
        next_s = min(end_s, waiting[0]) if waiting else end_s
        sent = min(left) if next_s == end_s else (next_s - now_s) * own_per_s
        left = [rest - sent for rest in left if rest > sent]
        now_s = next_s
    return now_s - min(starts_s)
