"""How many requests may be in flight: as many as keep latency at its target. Knows nothing of rates.

In flight is what fills a server's queue; by Little's law latency = in flight / throughput. So the window whose latency
is the target is right whatever the fleet's capacity is, and a change of capacity is corrected in a few round trips.
"""

from burstctl.control.cohort import Cohort
from burstctl.control.error_share import ErrorShare
from burstctl.control.target import Target

_START_S = 0.04
"""The window starts at what the ceiling puts in flight at this latency."""
_SMALLEST_START, _FLOOR = 4.0, 2.0
_USED = 0.8
"""A window of which less is in flight is not what limits the run: no reason to grow it."""
_JUMP = 0.5
_DEEPEST_CUT, _FULL_CUT, _ERROR_CUT, _STALL_CUT = 0.5, 0.75, 0.5, 0.5
_GROWTH, _FAST_GROWTH, _FAST_FROM = 1.1, 1.5, 1.5
_STEP = 1.0
_TOLERANCE = 0.95
_SLOW_START_BELOW, _SLOW_START_ENDS = 0.75, 0.7
"""Of the target: grow by one for each answer below, end at the first cohort above; both leave room to overshoot."""
_CONCEDE_AFTER = 5
_DRAIN = 0.33
_STALL_S, _STALL_LATENCIES = 1.0, 4.0


class Window:
    """Moves `size`; times in seconds of the run's clock."""

    __slots__ = (
        "_at_floor", "_ceiling_per_s", "_cohort", "_cut_s", "_errors", "_heard_s", "_last_s", "_limit", "_not_good",
        "_slow_start", "_target", "_undrained", "size",
    )  # fmt: skip

    def __init__(
        self, ceiling_per_s: float, limit: float, tolerated_s: float, base_latency_s: float | None = None
    ) -> None:
        self._ceiling_per_s = ceiling_per_s
        self._limit = limit
        self._target = Target(tolerated_s, base_latency_s)
        self.size = min(limit, max(_SMALLEST_START, _START_S * ceiling_per_s))
        self._slow_start = True
        self._cohort = Cohort(-1e9, self.size, 0)
        self._errors = ErrorShare()
        self._cut_s = -1e9
        self._heard_s: float | None = None
        """When the last good answer came."""
        self._last_s = 0.0
        """The last cohort's median latency."""
        self._not_good = 0
        self._at_floor = 0
        self._undrained: float | None = None
        """The window to go back to after a drain."""

    def sent(self, now_s: float, in_flight: int) -> None:
        """Take note of a send; `in_flight` includes it."""
        if self._heard_s is None:
            self._heard_s = now_s
            self._begin_cohort(now_s, in_flight)
        self._cohort.sent(now_s)

    def succeeded(self, serial: int, sent_s: float, now_s: float, in_flight: int) -> None:
        """Learn from a good answer's latency; `in_flight` no longer includes it."""
        latency_s = now_s - sent_s
        self._heard_s = now_s
        self._errors.note(now_s, error=False)
        if serial < 5 + self._not_good and self._target.sample(latency_s):
            assert self._target.unloaded_s is not None
            self._set(max(self.size, _JUMP * self._ceiling_per_s * self._target.unloaded_s))
        if self._slow_start and latency_s < _SLOW_START_BELOW * self._target.seconds and in_flight + 1 >= _USED * self.size:
            self._set(self.size + _STEP)
        self._close_cohort(self._cohort.answered(sent_s, latency_s, in_flight), now_s, in_flight)

    def full(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Shrink for a 503: the server's queue is full. One cut per round trip."""
        self._not_good += 1
        self._errors.note(now_s, error=False)
        if sent_s > self._cut_s:
            self._cut(now_s, _FULL_CUT, in_flight)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def refused(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Take note of an answer that says nothing of queues: a 429, or the request's own fault."""
        self._not_good += 1
        self._errors.note(now_s, error=False)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def ambiguous(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Shrink for errors that may have any cause, if they are too many to be chance."""
        self._not_good += 1
        self._errors.note(now_s, error=True)
        if self._errors.is_high() and sent_s > self._cut_s:
            self._cut(now_s, _ERROR_CUT, in_flight)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def tick(self, now_s: float, in_flight: int, paused_until_s: float) -> None:
        """Start again, small, when no good answer has come for long although some are awaited."""
        if self._heard_s is None or not in_flight or now_s < paused_until_s:
            return
        if now_s - max(self._heard_s, paused_until_s) > max(_STALL_S, _STALL_LATENCIES * self._last_s):
            self._heard_s = now_s
            self._cut(now_s, _STALL_CUT, in_flight)
            self._slow_start = True

    def _close_cohort(self, median_s: float | None, now_s: float, in_flight: int) -> None:
        if median_s is None:
            return
        if self._target.unloaded_s is not None:
            self._last_s = median_s
            if not self._drain(median_s, now_s):
                self._steer(median_s, now_s)
        self._begin_cohort(now_s, in_flight)

    def _drain(self, median_s: float, now_s: float) -> bool:
        """Now and then look with a small window whether a raised target is still needed."""
        if self._undrained is not None:
            undrained, self._undrained = self._undrained, None
            still_raised = self._target.drained(median_s, now_s)
            self.size = undrained if still_raised else max(self.size, undrained * 0.5)
            return True
        if self._target.wants_drain(now_s):
            self._undrained = self.size
            self.size = max(min(_FLOOR, self._limit), self.size * _DRAIN)
            return True
        return False

    def _steer(self, median_s: float, now_s: float) -> None:
        """Move the window towards the one whose latency is the target."""
        gradient = self._target.seconds / median_s
        at_floor = gradient < _TOLERANCE and self.size <= _FLOOR + _STEP
        self._at_floor = self._at_floor + 1 if at_floor else 0
        if self._at_floor >= _CONCEDE_AFTER:
            self._at_floor = 0
            self._target.concede(median_s, now_s)
            gradient = self._target.seconds / median_s
        size = self.size
        if gradient < _TOLERANCE:
            size = size * max(_DEEPEST_CUT, gradient) + _STEP
            self._slow_start = False
        elif gradient >= 1.0:
            if median_s > _SLOW_START_ENDS * self._target.seconds:
                self._slow_start = False
            if self._cohort.peak_in_flight >= _USED * size and not self._slow_start:
                size = size * (_FAST_GROWTH if gradient >= _FAST_FROM else min(_GROWTH, gradient)) + _STEP
        self._set(size)

    def _cut(self, now_s: float, factor: float, in_flight: int) -> None:
        self._cut_s = now_s
        self._slow_start = False
        self.size = max(min(_FLOOR, self._limit), self.size * factor)
        self._begin_cohort(now_s, in_flight)

    def _begin_cohort(self, now_s: float, in_flight: int) -> None:
        self._cohort = Cohort(now_s, self.size, in_flight)

    def _set(self, size: float) -> None:
        cap = min(self._limit, max(_FLOOR, self._ceiling_per_s * self._target.bound_s))
        self.size = min(cap, max(min(_FLOOR, cap), size))
