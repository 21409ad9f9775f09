"""Ends a run against a target that does not exist: no answer ever, nothing but failed connections."""

from burstctl.attempt import Fault
from burstctl.control.guard import Stop
from burstctl.summary import Ending, Snapshot

PATIENCE_S = 10.0
_DRAIN_S = 0.5
"""Enough for a connection that is being refused; one that hangs is not waited for."""
_NOBODY_THERE = frozenset({Fault.DNS, Fault.CONNECT, Fault.TLS})


class UnavailableGuard:
    """Gives a target that is just starting `PATIENCE_S` to take its first connection."""

    __slots__ = ()

    def check(self, so_far: Snapshot) -> Stop | None:
        if so_far.status or not so_far.faults or so_far.elapsed_s < PATIENCE_S:
            return None
        if not _NOBODY_THERE.issuperset(so_far.faults):
            return None
        return Stop(Ending.UNAVAILABLE, f"no connection to the target in {PATIENCE_S:g} s", _DRAIN_S)
