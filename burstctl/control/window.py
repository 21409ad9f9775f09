"""How many requests may be in flight: as many as keep latency at its target. Knows nothing of rates.

In flight is what fills a server's queue; by Little's law latency = in flight / throughput. So the window whose latency
is the target is right whatever the fleet's capacity is, and a change of capacity is corrected in a few round trips.
"""

from burstctl.control.cohort import Cohort
from burstctl.control.recent import Kind, Recent
from burstctl.control.target import FIRST, Target

_START_S = 0.04
"""The window starts at what the ceiling puts in flight at this latency."""
_SMALLEST_START, _FLOOR = 4.0, 2.0
_USED = 0.8
"""A window of which less is in flight is not what limits the run: no reason to grow it."""
_JUMP = 0.5
_JUMP_PROOF, _SHORT_JUMP = 0.75, 1.5
"""So much of the first window has answered by the time the first requests have, where nothing queues; otherwise it is
not known whether the fleet is slow or small, and the window opens only to so many times the first one."""
_OVERDUE = 3.0
"""Times the target: answers as late as that need not be waited for to know."""
_DEEPEST_CUT, _FULL_CUT, _ERROR_CUT, _STALL_CUT = 0.5, 0.75, 0.5, 0.5
_GROWTH, _FAST_GROWTH, _FAST_FROM = 1.1, 1.5, 1.5
_STEP = 1.0
_TOLERANCE = 0.95
_SHORTEST_S = 1e-6
_SLOW_START_BELOW, _SLOW_START_ENDS = 0.75, 0.7
"""Of the target: grow by one for each answer below, end at the first cohort above; both leave room to overshoot."""
_CONCEDE_AFTER = 5
_UNSTEERED = 3
"""After so many cohorts one of the first requests must be a straggler: don't wait for it to learn the latency."""
_DRAIN = 0.33
_STALL_S, _STALL_LATENCIES = 1.0, 4.0


class Window:
    """Moves `size`; times in seconds of the run's clock."""

    __slots__ = (
        "_at_floor", "_cohort", "_cut_s", "_good", "_heard_s", "_last_s", "_limit", "_not_good",
        "_recent", "_slow_start", "_start", "_target", "_undrained", "_unsteered", "ceiling_per_s", "size",
    )  # fmt: skip

    def __init__(
        self, ceiling_per_s: float, limit: float, tolerated_s: float, base_latency_s: float | None = None
    ) -> None:
        self.ceiling_per_s = ceiling_per_s
        """This job's part of it, where several share one."""
        self._limit = limit
        self._target = Target(tolerated_s, base_latency_s)
        self.size = min(limit, max(_SMALLEST_START, _START_S * ceiling_per_s))
        self._start = self.size
        self._good = 0
        self._slow_start = True
        self._cohort = Cohort(-1e9, self.size, 0)
        self._recent = Recent()
        self._cut_s = -1e9
        self._heard_s: float | None = None
        """When the last good answer came."""
        self._last_s = 0.0
        """The last cohort's median latency."""
        self._not_good = 0
        self._at_floor = 0
        self._unsteered = 0
        """Cohorts that closed before the unloaded latency was known."""
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
        self._recent.note(now_s, Kind.GOOD)
        self._good += 1
        if serial < FIRST + self._not_good and self._target.sample(latency_s):
            self._jump()
        if (
            self._slow_start
            and latency_s < _SLOW_START_BELOW * self._target.seconds
            and in_flight + 1 >= _USED * self.size
        ):
            self._set(self.size + _STEP)
        self._close_cohort(self._cohort.answered(sent_s, latency_s, in_flight), now_s, in_flight)

    @property
    def unloaded_s(self) -> float | None:
        """Tell the latency without load, if it is known."""
        return self._target.unloaded_s

    def hear_unloaded(self, latency_s: float) -> None:
        """Take the latency without load from a job that came before the load."""
        if self._target.adopt(latency_s):
            self._jump()

    @property
    def is_helpless(self) -> bool:
        """Tell whether 503s go on although next to nothing is in flight: no queue refuses then, but a limit."""
        return self.size <= _FLOOR + _STEP and self._recent.refusals_are_many()

    def full(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Shrink for a 503: the server's queue is full. One cut per round trip."""
        self._not_good += 1
        self._recent.note(now_s, Kind.FULL)
        if sent_s > self._cut_s:
            self._cut(now_s, _FULL_CUT, in_flight)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def refused(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Take note of an answer that says nothing of queues: a 429, or the request's own fault."""
        self._not_good += 1
        self._recent.note(now_s, Kind.NEUTRAL)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def ambiguous(self, sent_s: float, now_s: float, in_flight: int) -> None:
        """Shrink for errors that may have any cause, if they are too many to be chance."""
        self._not_good += 1
        self._recent.note(now_s, Kind.ERROR)
        if self._recent.errors_are_many() and sent_s > self._cut_s:
            self._cut(now_s, _ERROR_CUT, in_flight)
        self._close_cohort(self._cohort.answered(sent_s, None, in_flight), now_s, in_flight)

    def tick(self, now_s: float, in_flight: int, paused_until_s: float) -> None:
        """Start again, small, when no good answer has come for long although some are awaited."""
        if self._heard_s is None or not in_flight or now_s < paused_until_s:
            return
        if now_s - max(self._heard_s, paused_until_s) > max(
            _STALL_S, _STALL_LATENCIES * max(self._last_s, self._target.unloaded_s or 0.0)
        ):
            self._heard_s = now_s
            self._cut(now_s, _STALL_CUT, in_flight)
            self._slow_start = True
        elif self._target.unloaded_s is not None and (
            self._cohort.least_median_s(now_s) > _OVERDUE * self._target.seconds
        ):
            # Don't wait for answers that are late already. By Little's law this window has the target's latency.
            wanted = self._recent.good_per_s(now_s) * self._target.seconds + _STEP
            self._cut(now_s, min(_DEEPEST_CUT, wanted / self.size), in_flight)

    def _jump(self) -> None:
        """Open the window for a service that is slow by itself: far where the first window was served at once."""
        unloaded_s = self._target.unloaded_s
        if unloaded_s is not None:
            at_once = self._good >= _JUMP_PROOF * self._start <= self.size
            far = _JUMP * self.ceiling_per_s * unloaded_s
            self._set(max(self.size, far if at_once else min(far, _SHORT_JUMP * self._start)))

    def _close_cohort(self, median_s: float | None, now_s: float, in_flight: int) -> None:
        if median_s is None:
            if self._cohort.is_void:
                self._begin_cohort(now_s, in_flight)
            return
        if self._target.unloaded_s is None:
            self._unsteered += 1
            if self._unsteered >= _UNSTEERED and self._target.settle(median_s):
                self._jump()
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
        gradient = self._target.seconds / max(median_s, _SHORTEST_S)
        at_floor = gradient < _TOLERANCE and self.size <= _FLOOR + _STEP
        self._at_floor = self._at_floor + 1 if at_floor else 0
        if self._at_floor >= _CONCEDE_AFTER:
            self._at_floor = 0
            self._target.concede(median_s, now_s)
            gradient = self._target.seconds / max(median_s, _SHORTEST_S)
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
        if self._undrained is not None:  # what is gone back to after the drain is cut as well
            self._undrained *= factor
        self.size = max(min(_FLOOR, self._limit), self.size * factor)
        self._begin_cohort(now_s, in_flight)

    def _begin_cohort(self, now_s: float, in_flight: int) -> None:
        self._cohort = Cohort(now_s, self.size, in_flight)

    def _set(self, size: float) -> None:
        cap = min(self._limit, max(_FLOOR, self.ceiling_per_s * self._target.bound_s))
        self.size = min(cap, max(min(_FLOOR, cap), size))
