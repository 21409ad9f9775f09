"""Ends a run that is going wrong: the condition of `--abort`, judged over what was attempted so far."""

from burstctl.control.guard import Stop
from burstctl.metric import count_status
from burstctl.summary import Ending, Snapshot
from burstctl.threshold import Threshold
from burstctl.units import format_share

METRICS = ("failed", "fault", "status.*", "attempts_per_request")
"""What can be judged at any moment of a run at no cost."""

_FEWEST = 20
"""Fewer attempted requests than this are no ground for a stop."""

_LASTING_S = 2.0
"""A blip that retries heal within this time does not abort."""

_DRAIN_S = 1.0


def supports(threshold: Threshold) -> bool:
    """Tell whether a threshold's metric can be judged during a run."""
    return threshold.metric in METRICS or threshold.metric.startswith("status.")


class AbortGuard:
    """Stops once the condition has been true for `_LASTING_S` without a break.

    A request counts as failed from its first failed attempt until a later one succeeds, unless the server only asked
    to wait (429, 503): a broken deployment is noticed long before its requests have used up their attempts.
    """

    __slots__ = ("_condition", "_since_s")

    def __init__(self, condition: Threshold) -> None:
        self._condition = condition
        self._since_s: float | None = None

    def check(self, so_far: Snapshot) -> Stop | None:
        observed = _observe(self._condition.metric, so_far)
        if so_far.attempted < _FEWEST and so_far.attempted < so_far.planned:
            return None
        if observed is None or not self._condition.holds(observed):
            self._since_s = None
            return None
        if self._since_s is None:
            self._since_s = so_far.elapsed_s
        if so_far.elapsed_s - self._since_s < _LASTING_S:
            return None
        shown = f"{observed:.3g}" if self._condition.metric == "attempts_per_request" else format_share(observed)
        reason = f"aborted by {self._condition.expression}: {shown} of the requests attempted so far"
        return Stop(Ending.ABORTED, reason, _DRAIN_S)


def _observe(metric: str, so_far: Snapshot) -> float | None:
    if metric == "failed":
        return (so_far.failed + so_far.failing) / so_far.attempted if so_far.attempted else None
    if not so_far.attempts:
        return None
    if metric == "attempts_per_request":
        return so_far.attempts / so_far.attempted
    if metric == "fault":
        return sum(so_far.faults.values()) / so_far.attempts
    code = metric.removeprefix("status.")
    return count_status(code, so_far.status) / so_far.attempts
