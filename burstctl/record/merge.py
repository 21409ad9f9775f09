"""Makes one run of what several processes measure of it, while it lasts. Knows neither processes nor pipes.

Sends and seconds must be seen in the order of time: they are combined as they come, up to the moment of which all have
told, so memory does not grow with the run. Counts and distributions are merged once, when a process has ended.
"""

from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from burstctl.attempt import Failure
from burstctl.record.recorder import Recorder
from burstctl.record.timeline import Portion
from burstctl.secret import Redactor
from burstctl.summary import Second, Snapshot


@dataclass(frozen=True, slots=True)
class Part:
    """What one process did since its last part."""

    snapshot: Snapshot
    until_s: float
    """Every send before this moment has been told; the same clock for all processes."""
    sends_s: Sequence[float]
    portions: Sequence[Portion]


@dataclass(slots=True)
class _Source:
    """One process, as far as it has told."""

    counts: Mapping[str, int]
    """Its requests by name."""
    until_s: float = -inf
    snapshot: Snapshot | None = None
    portions: deque[Portion] = field(default_factory=deque)
    last: Second | None = None
    """The last second that was combined."""
    ended: bool = False


class Merge:
    """Takes parts, in any order of the processes, and their ends; `recorder` then holds the whole run."""

    __slots__ = ("_pending_s", "_sources", "recorder")

    def __init__(self, counts: Sequence[Mapping[str, int]], redactor: Redactor) -> None:
        self._sources = [_Source(one) for one in counts]
        self._pending_s: list[float] = []
        # Planned are the requests of those processes that have ended: in the end that is all of them.
        self.recorder = Recorder(dict.fromkeys(counts[0], 0), redactor, start_s=0.0)

    def add(self, index: int, part: Part) -> None:
        """Take what a process has done since its last part."""
        source = self._sources[index]
        source.snapshot, source.until_s = part.snapshot, part.until_s
        source.portions.extend(part.portions)
        self._pending_s.extend(part.sends_s)
        self._combine()

    def end(self, index: int, recorder: Recorder) -> None:
        """Take the figures of a process that has ended, its last part having come."""
        self.recorder.merge(recorder)
        self._sources[index].ended = True
        self._combine()

    def lose(self, index: int, failure: Failure) -> None:
        """Account for a process that will tell no more: what it had begun has failed, the rest is unsent."""
        source = self._sources[index]
        begun = 0
        if source.snapshot is not None:
            # A request that could not even be made has ended without being attempted.
            begun = max(source.snapshot.attempted, source.snapshot.succeeded + source.snapshot.failed)
            source.snapshot = replace(source.snapshot, in_flight=0, waiting=0, failing=0)
        for name, planned in source.counts.items():
            tally, lost = self.recorder.tallies[name], min(begun, planned)
            tally.planned += planned
            tally.lost(lost, failure)
            begun -= lost
        source.ended = True
        self._combine()

    def snapshot(self) -> Snapshot:
        """Tell how far the run is, all processes together."""
        told = [source.snapshot for source in self._sources if source.snapshot is not None]
        status: Counter[int] = Counter()
        faults: Counter[str] = Counter()
        for one in told:
            status.update(one.status)
            faults.update(one.faults)
        last = self.recorder.timeline.last
        return Snapshot(
            elapsed_s=max((one.elapsed_s for one in told), default=0.0),
            planned=sum(sum(source.counts.values()) for source in self._sources),
            attempted=sum(one.attempted for one in told),
            succeeded=sum(one.succeeded for one in told),
            failed=sum(one.failed for one in told),
            attempts=sum(one.attempts for one in told),
            in_flight=sum(one.in_flight for one in told),
            waiting=sum(one.waiting for one in told),
            failing=sum(one.failing for one in told),
            sent_1s=sum(one.sent_1s for one in told),
            rate_per_s=sum(one.rate_per_s for one in told),
            window=sum(one.window or 0.0 for one in told),
            p95_ms=last.p95_ms if last else None,
            status=status,
            faults=faults,
            # Paused is the run only while all of its processes are.
            paused_s=min((one.paused_s for one in told), default=0.0),
        )

    def _combine(self) -> None:
        """Pass on the sends and seconds to which no process can add any more."""
        until_s = min(inf if source.ended else source.until_s for source in self._sources)
        self._pending_s.sort()
        passed = bisect_right(self._pending_s, until_s)
        for sent_s in self._pending_s[:passed]:
            self.recorder.sends.add(sent_s)
        del self._pending_s[:passed]
        while all(source.portions or source.ended for source in self._sources) and any(
            source.portions for source in self._sources
        ):
            self.recorder.timeline.combine([_next_portion(source) for source in self._sources])


def _next_portion(source: _Source) -> Portion:
    """Give what a process counted in the next second: nothing, at the rate and window it had, once it has ended."""
    if not source.portions:
        return Portion(
            Second(0) if source.last is None else Second(0, rate=source.last.rate, window=source.last.window)
        )
    portion = source.portions.popleft()
    source.last = portion.second
    return portion
