"""How many requests may be in flight: cut by full queues and by errors that keep coming, grown back by successes.

In flight is what fills a server's queue; by Little's law latency = in flight / throughput. Knows nothing of rates.
"""

from collections import deque

_FLOOR = 2.0
_FULL_CUT = 0.75
_ERROR_CUT = 0.5
_ERROR_SHARE = 0.10
_ERROR_SPAN_S = 2.0
_ERROR_SAMPLES = 20


class Window:
    """Starts at its cap, which is what the ceiling puts in flight at the target latency."""

    __slots__ = ("_cap", "_cut_s", "_errors", "_recent", "size")

    def __init__(self, cap: float) -> None:
        self._cap = max(1.0, cap)
        self.size = self._cap
        self._cut_s = -1e9
        self._recent: deque[tuple[float, bool]] = deque()
        """When each answer of the last seconds came, and whether it was an ambiguous error."""
        self._errors = 0

    def succeeded(self, now_s: float) -> None:
        """Grow by one for each window's worth of successes."""
        self._note(now_s, error=False)
        self.size = min(self._cap, self.size + 1.0 / self.size)

    def full(self, sent_s: float, now_s: float) -> None:
        """Shrink for a 503: the server's queue is full. One cut per round trip."""
        self._note(now_s, error=False)
        if sent_s > self._cut_s:
            self._cut(now_s, _FULL_CUT)

    def refused(self, now_s: float) -> None:
        """Take note of a 429, which says nothing of queues."""
        self._note(now_s, error=False)

    def ambiguous(self, sent_s: float, now_s: float) -> None:
        """Shrink for errors that may have any cause, if they are too many to be chance."""
        self._note(now_s, error=True)
        many = len(self._recent) >= _ERROR_SAMPLES and self._errors > _ERROR_SHARE * len(self._recent)
        if many and sent_s > self._cut_s:
            self._cut(now_s, _ERROR_CUT)

    def _cut(self, now_s: float, factor: float) -> None:
        self._cut_s = now_s
        self.size = max(min(_FLOOR, self._cap), self.size * factor)

    def _note(self, now_s: float, *, error: bool) -> None:
        self._recent.append((now_s, error))
        self._errors += error
        while self._recent[0][0] < now_s - _ERROR_SPAN_S:
            self._errors -= self._recent.popleft()[1]
