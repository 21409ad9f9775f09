"""Measures latency over a fixed set of sends, so that a change of the window is judged by its own requests.

Marked by send, not by answer: averaging whatever answers first is biased towards short calls.
"""

from collections import deque

_SMALLEST, _LARGEST = 8, 64
_PER_WINDOW = 0.5
_QUORUM = 0.75
"""Judge when this share has answered; those still missing count as the slowest."""


class Cohort:
    """The next sends after a moment, and the latencies of those that were answered as they should be."""

    __slots__ = ("_began_s", "_closed_s", "_latencies_s", "_pending_s", "_sent", "_size", "peak_in_flight")

    def __init__(self, now_s: float, window: float, in_flight: int) -> None:
        self._began_s = self._closed_s = now_s
        self._size = int(min(_LARGEST, max(_SMALLEST, _PER_WINDOW * window)))
        self._sent = 0
        self._latencies_s: list[float] = []
        self._pending_s: deque[float] = deque()
        """When those were sent that have no answer yet, ascending."""
        self.peak_in_flight = in_flight
        """Most requests in flight since it began: tells whether the window was used."""

    @property
    def is_void(self) -> bool:
        """Tell whether none of its sends was answered as it should be: it will never have a median."""
        return self._size <= 0

    def sent(self, now_s: float) -> None:
        """Take a send in, as long as there is room."""
        if self._sent < self._size:
            self._sent += 1
            self._closed_s = now_s
            self._pending_s.append(now_s)

    def answered(self, sent_s: float, latency_s: float | None, in_flight: int) -> float | None:
        """Take an answer in, `None` voiding its send; give the cohort's median latency once enough have answered."""
        self.peak_in_flight = max(self.peak_in_flight, in_flight + 1)
        if not self._began_s <= sent_s <= self._closed_s or sent_s not in self._pending_s:
            return None
        self._pending_s.remove(sent_s)
        if latency_s is None:
            self._size -= 1
            self._sent -= 1
        else:
            self._latencies_s.append(latency_s)
        count = len(self._latencies_s)
        if not count or count < _QUORUM * self._size:
            return None
        return sorted(self._latencies_s)[min(count - 1, self._size // 2)]

    def least_median_s(self, now_s: float) -> float:
        """Tell what the median will be at least, from the ages of the sends that have no answer yet."""
        latencies_s = sorted([*self._latencies_s, *(now_s - sent_s for sent_s in self._pending_s)])
        missing = max(0, self._size - len(latencies_s))
        place = self._size // 2 - missing
        return latencies_s[place] if 0 <= place < len(latencies_s) else 0.0
