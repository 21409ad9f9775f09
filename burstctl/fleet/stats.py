"""What the fleet saw: the counts while it runs and the figures to show. Knows nothing of how requests are served."""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass

from burstctl.fleet.queue_wait import QueueWait, QueueWaits


@dataclass(frozen=True, slots=True)
class FleetStats:
    """The fleet's figures since its start or the last reset.

    They keep the identity `arrivals + carried = served + refused + queue + in_service`; times are seconds since the
    fleet's start, None where nothing happened yet.
    """

    arrivals: int
    carried: int
    """Requests that were in the fleet at the reset."""
    served: int
    """Finished with 200, also those whose client no longer waited."""
    refused: int
    """Answered without service: quota, full queue, random error."""
    abandoned: int
    """Client gone before the answer; each still takes its turn and its slot, and counts as served after it."""
    status: Mapping[int, int]
    """`served` and `refused` by status code."""
    queue: int
    in_service: int
    slots: int
    peak_queue: int
    max_arrivals_1s: int
    """Most arrivals in any sliding second."""
    first_arrival_s: float | None
    last_arrival_s: float | None
    last_done_s: float | None
    queue_wait_ms: QueueWait | None
    """Of the requests that got a slot."""


class Tally:
    """Counts what happens in the fleet."""

    __slots__ = (
        "_abandoned",
        "_arrivals",
        "_carried",
        "_first_arrival_s",
        "_last_arrival_s",
        "_last_done_s",
        "_last_second",
        "_max_arrivals_1s",
        "_peak_queue",
        "_served",
        "_status",
        "_waits",
    )

    def __init__(self, *, carried: int = 0, queue: int = 0) -> None:
        self._carried = carried
        self._peak_queue = queue
        self._arrivals = 0
        self._served = 0
        self._abandoned = 0
        self._status: Counter[int] = Counter()
        self._waits = QueueWaits()
        self._last_second: deque[float] = deque()
        self._max_arrivals_1s = 0
        self._first_arrival_s: float | None = None
        self._last_arrival_s: float | None = None
        self._last_done_s: float | None = None

    def arrived(self, at_s: float) -> None:
        self._arrivals += 1
        if self._first_arrival_s is None:
            self._first_arrival_s = at_s
        self._last_arrival_s = at_s
        second = self._last_second
        second.append(at_s)
        while at_s - second[0] >= 1:
            second.popleft()
        self._max_arrivals_1s = max(self._max_arrivals_1s, len(second))

    def refused(self, status: int) -> None:
        self._status[status] += 1

    def queued(self, length: int) -> None:
        self._peak_queue = max(self._peak_queue, length)

    def started(self, wait_s: float) -> None:
        self._waits.add(wait_s)

    def served(self, at_s: float) -> None:
        self._served += 1
        self._status[200] += 1
        self._last_done_s = at_s

    def abandoned(self) -> None:
        self._abandoned += 1

    def figures(self, *, queue: int, in_service: int, slots: int) -> FleetStats:
        return FleetStats(
            arrivals=self._arrivals,
            carried=self._carried,
            served=self._served,
            refused=self._status.total() - self._served,
            abandoned=self._abandoned,
            status=dict(sorted(self._status.items())),
            queue=queue,
            in_service=in_service,
            slots=slots,
            peak_queue=self._peak_queue,
            max_arrivals_1s=self._max_arrivals_1s,
            first_arrival_s=self._first_arrival_s,
            last_arrival_s=self._last_arrival_s,
            last_done_s=self._last_done_s,
            queue_wait_ms=self._waits.figures(),
        )
