"""The fleet as a queueing model: slots, one FIFO queue, refusals. Time comes in as an argument; knows no sockets."""

import heapq
import math
import random
from collections import deque
from dataclasses import dataclass

from burstctl.fleet.quota import TokenBucket
from burstctl.fleet.service_times import ServiceTimes
from burstctl.fleet.spec import FleetSpec
from burstctl.fleet.stats import FleetStats, Tally

ERROR_DELAY_S = 0.002
"""A random error takes this long to be answered."""


@dataclass(slots=True, eq=False)
class Ticket:
    """A request in the fleet; times are those of the model's calls."""

    arrived_s: float
    started_s: float | None = None
    finished_s: float | None = None
    """Known as soon as the service starts."""
    abandoned: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer without service."""

    status: int
    reason: str
    retry_after_s: int | None = None
    delay_s: float = 0.0
    """From the arrival to the answer."""


class FleetModel:
    """Serves requests on virtual time; the same calls give the same results.

    Every method that takes `now_s` first lets everything happen that was due by then, at the moment it was due: a
    caller that is late loses no capacity. `now_s` must never go back.
    """

    def __init__(self, spec: FleetSpec, start_s: float = 0.0) -> None:
        self._spec = spec
        self._start_s = start_s
        self._slots = spec.slots
        self._nominal_mean_s = spec.service_mean_s
        self._mean_s = spec.service_mean_s
        # One stream of randomness per use, so that errors don't shift service times.
        self._times = ServiceTimes(spec.service_time, spec.sigma, random.Random(f"{spec.seed} service"))
        self._errors = random.Random(f"{spec.seed} errors")
        self._bucket = TokenBucket(spec.quota, start_s) if spec.quota else None
        self._queue: deque[Ticket] = deque()
        self._running: list[tuple[float, int, Ticket]] = []
        self._started = 0
        self._finished: list[Ticket] = []
        self._changes = _changes(spec)
        self._tally = Tally()

    def arrive(self, now_s: float) -> Ticket | Refusal:
        """Take in one request: a ticket that `advance` gives back when it is done, or a refusal."""
        self._run_to(now_s)
        self._tally.arrived(now_s - self._start_s)
        refusal = self._refuse(now_s)
        if refusal is not None:
            self._tally.refused(refusal.status)
            return refusal
        ticket = Ticket(now_s)
        if len(self._running) < self._slots:
            self._start(ticket, now_s)
        else:
            self._queue.append(ticket)
            self._tally.queued(len(self._queue))
        return ticket

    def abandon(self, ticket: Ticket) -> None:
        """Note that the client of a request in the fleet has gone; the request is worked on all the same."""
        ticket.abandoned = True
        self._tally.abandoned()

    def advance(self, now_s: float) -> list[Ticket]:
        """Give the requests that finished since the last call, in the order in which they did."""
        self._run_to(now_s)
        finished, self._finished = self._finished, []
        return finished

    def next_event(self) -> float | None:
        """Tell when `advance` next has something to do; None if never without a new arrival."""
        if self._finished:
            return self._finished[0].finished_s
        due = [self._running[0][0]] if self._running else []
        if self._changes:
            due.append(self._start_s + self._changes[-1].at_s)
        return min(due, default=None)

    def slots(self, now_s: float) -> int:
        """Tell how many requests can be served at once; 0 during an outage."""
        self._run_to(now_s)
        return self._slots

    def stats(self, now_s: float) -> FleetStats:
        self._run_to(now_s)
        return self._tally.figures(queue=len(self._queue), in_service=len(self._running), slots=self._slots)

    def reset_stats(self, now_s: float) -> None:
        """Count from zero; the requests in the fleet stay in it."""
        self._run_to(now_s)
        queue = len(self._queue)
        self._tally = Tally(carried=queue + len(self._running), queue=queue)

    def rate_limit_headers(self, now_s: float, blocked_s: int | None = None) -> tuple[tuple[str, str], ...]:
        """Give the headers that tell the quota, none where the fleet hides it; `blocked_s` is a 429's Retry-After."""
        if self._bucket is None or not self._spec.policy_header:
            return ()
        return ("RateLimit-Policy", self._bucket.policy()), ("RateLimit", self._bucket.limit(now_s, blocked_s))

    def _refuse(self, now_s: float) -> Refusal | None:
        spec = self._spec
        if self._bucket is not None and not self._bucket.take(now_s):
            wait_s = max(1, math.ceil(self._bucket.wait_s(now_s)))
            return Refusal(429, "over quota", spec.retry_after_s or wait_s)
        if spec.error_share and self._errors.random() < spec.error_share:
            return Refusal(spec.error_status, "random error", self._retry_after_s(spec.error_status), ERROR_DELAY_S)
        full = spec.queue_limit is not None and len(self._queue) >= spec.queue_limit
        if full and len(self._running) >= self._slots:
            return Refusal(spec.overload_status, "queue full", self._retry_after_s(spec.overload_status))
        return None

    def _retry_after_s(self, status: int) -> int | None:
        if status == 429:
            return self._spec.retry_after_s or 1
        return self._spec.retry_after_s if status == 503 else None

    def _run_to(self, now_s: float) -> None:
        while True:
            change_s = self._start_s + self._changes[-1].at_s if self._changes else math.inf
            done_s = self._running[0][0] if self._running else math.inf
            if min(change_s, done_s) > now_s:
                return
            # A change holds from its very moment on, so it comes before a service that ends then.
            if change_s <= done_s:
                self._change(self._changes.pop())
                self._fill_slots(change_s)
            else:
                self._finish()
                self._fill_slots(done_s)

    def _change(self, change: "_Change") -> None:
        if change.service_mean_s is not None:
            self._nominal_mean_s = self._mean_s = change.service_mean_s
        elif change.capacity_rps:
            # Slots are whole; the mean is stretched so that the capacity is exactly what was asked for.
            self._slots = max(1, round(change.capacity_rps * self._nominal_mean_s))
            self._mean_s = self._slots / change.capacity_rps
        else:
            self._slots = 0

    def _fill_slots(self, at_s: float) -> None:
        while self._queue and len(self._running) < self._slots:
            self._start(self._queue.popleft(), at_s)

    def _start(self, ticket: Ticket, at_s: float) -> None:
        ticket.started_s = at_s
        ticket.finished_s = at_s + self._times.draw() * self._mean_s
        self._started += 1
        heapq.heappush(self._running, (ticket.finished_s, self._started, ticket))
        self._tally.started(at_s - ticket.arrived_s)

    def _finish(self) -> None:
        done_s, _, ticket = heapq.heappop(self._running)
        self._finished.append(ticket)
        self._tally.served(done_s - self._start_s)


@dataclass(frozen=True, slots=True)
class _Change:
    at_s: float
    service_mean_s: float | None = None
    capacity_rps: float = 0.0


def _changes(spec: FleetSpec) -> list[_Change]:
    """List the changes to come, the next one last; at the same moment the service mean changes first."""
    services = [_Change(step.at_s, service_mean_s=step.value) for step in spec.service_steps]
    capacities = [_Change(step.at_s, capacity_rps=step.value) for step in spec.capacity_steps]
    return sorted(services + capacities, key=lambda change: change.at_s)[::-1]
