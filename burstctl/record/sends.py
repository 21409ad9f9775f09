"""The times of all sends, reduced as they come: how many, how fast, how many in the worst second."""

from collections import deque


class Sends:
    """Keeps the sends of the last second only; times in seconds of one clock, ascending."""

    __slots__ = ("_second", "_untaken", "count", "first_s", "last_s", "max_1s")

    def __init__(self, *, kept: bool = False) -> None:
        """`kept`: until `take` is called, every send is."""
        self._untaken: list[float] | None = [] if kept else None
        self.count = 0
        self.max_1s = 0
        """Most sends in any half-open second."""
        self.first_s = self.last_s = 0.0
        """Of no meaning before the first send."""
        self._second: deque[float] = deque()

    def add(self, sent_s: float) -> None:
        if not self.count:
            self.first_s = sent_s
        self.count += 1
        self.last_s = sent_s
        second = self._second
        if second and second[0] <= sent_s - 1.0:
            self._drop(sent_s)
        second.append(sent_s)
        if self._untaken is not None:
            self._untaken.append(sent_s)
        if len(second) > self.max_1s:
            self.max_1s = len(second)

    def in_last_second(self, now_s: float) -> int:
        self._drop(now_s)
        return len(self._second)

    def take(self) -> list[float]:
        """Give the times of all sends since the last call."""
        taken = self._untaken or []
        if taken:
            self._untaken = []
        return taken

    @property
    def achieved_per_s(self) -> float | None:
        """(count - 1) / (last - first); None where that says nothing."""
        span_s = self.last_s - self.first_s
        return (self.count - 1) / span_s if span_s > 0 else None

    def _drop(self, now_s: float) -> None:
        second = self._second
        while second and second[0] <= now_s - 1.0:
            second.popleft()
