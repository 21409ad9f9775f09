"""The latency that the window aims at: a share of what the user tolerates, or more where the service needs more.

What the service needs without load is measured on the first requests, and again now and then by draining the window.
"""

_SHARE = 0.45
"""Of the tolerated latency: leaves room for the spread around a median."""
_ABOVE_UNLOADED = 1.5
FIRST = 5
"""Requests whose latency tells what the service needs without load."""
_DRAIN_EVERY_S = 10.0
_DRAIN_EVERY_LATENCIES = 40.0


class Target:
    """Holds the target latency in seconds."""

    __slots__ = ("_drain_at_s", "_highest_s", "_raised_s", "_samples_s", "_tolerated_s", "unloaded_s")

    def __init__(self, tolerated_s: float, base_latency_s: float | None) -> None:
        self._tolerated_s = tolerated_s
        self._samples_s: list[float] = []
        self._raised_s: float | None = None
        """The target where the service alone is too slow for the share of the tolerated latency."""
        self._highest_s = _ABOVE_UNLOADED * tolerated_s
        self._drain_at_s: float | None = None
        self.unloaded_s = base_latency_s
        """Latency without load, as far as it is known."""
        if base_latency_s is not None:
            self._raise(base_latency_s)

    @property
    def seconds(self) -> float:
        return self._raised_s or _SHARE * self._tolerated_s

    @property
    def bound_s(self) -> float:
        """The latency at which the ceiling may at most put requests in flight."""
        return max(self._tolerated_s, _ABOVE_UNLOADED * (self._raised_s or 0.0))

    def sample(self, latency_s: float) -> bool:
        """Learn the unloaded latency from the first answers; tell whether it became known and raised the target."""
        if self.unloaded_s is not None:
            return False
        self._samples_s.append(latency_s)
        if len(self._samples_s) < FIRST:
            return False
        self.unloaded_s = sum(self._samples_s) / FIRST
        return self._raise(self.unloaded_s)

    def settle(self, median_s: float) -> bool:
        """Don't wait for the last of the first answers, which count as the slowest; tell as `sample` does."""
        missing = FIRST - len(self._samples_s)
        self.unloaded_s = (sum(self._samples_s) + missing * max(self._samples_s, default=median_s)) / FIRST
        return self._raise(self.unloaded_s)

    def adopt(self, latency_s: float) -> bool:
        """Take the unloaded latency as told, unless it is known already; tell as `sample` does."""
        if self.unloaded_s is not None:
            return False
        self.unloaded_s = latency_s
        return self._raise(latency_s)

    def wants_drain(self, now_s: float) -> bool:
        """Tell whether it is time to look whether the raised target is still needed."""
        if self._raised_s is None:
            return False
        if self._drain_at_s is None:
            self._plan_drain(self.unloaded_s or 0.0, now_s)
        return self._drain_at_s is not None and now_s > self._drain_at_s

    def drained(self, latency_s: float, now_s: float) -> bool:
        """Set the target by what a nearly empty window showed; tell whether it stays raised."""
        wanted_s = _ABOVE_UNLOADED * latency_s
        self._raised_s = None if wanted_s <= _SHARE * self._tolerated_s else min(self._highest_s, wanted_s)
        self._plan_drain(latency_s, now_s)
        return self._raised_s is not None

    def concede(self, latency_s: float, now_s: float) -> None:
        """Raise the target: even the smallest window can't reach it."""
        self._raised_s = min(self._highest_s, _ABOVE_UNLOADED * latency_s)
        self._plan_drain(latency_s, now_s)

    def _raise(self, unloaded_s: float) -> bool:
        wanted_s = _ABOVE_UNLOADED * unloaded_s
        if wanted_s <= _SHARE * self._tolerated_s:
            return False
        self._raised_s = wanted_s
        self._highest_s = max(self._highest_s, wanted_s)
        return True

    def _plan_drain(self, latency_s: float, now_s: float) -> None:
        self._drain_at_s = now_s + max(_DRAIN_EVERY_S, _DRAIN_EVERY_LATENCIES * latency_s)
