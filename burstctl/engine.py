"""The run: requests of a plan through both gates to the sender, answers to controller and recorder.

Knows protocols only: neither HTTP nor files nor terminals. One task group per run; cancellation is the only stop.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from burstctl.attempt import Answer, Attempt, Failure, Fault
from burstctl.clock import Clock
from burstctl.control.appraise import appraise
from burstctl.control.backlog import Backlog, Pending
from burstctl.control.controller import TICK_S, Controller
from burstctl.control.guard import Guard, Stop
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.outcome import Outcome
from burstctl.pace.alarm import Alarm, LoopAlarm
from burstctl.pace.pacer import Pacer
from burstctl.pace.pulse import Pulse
from burstctl.pace.wake import Wake
from burstctl.plan import Request
from burstctl.record.causes import failure_of
from burstctl.record.recorder import Recorder
from burstctl.send.sender import Sender
from burstctl.summary import Ending, Snapshot

_EXAMPLE_BYTES = 4096
"""How much of a body is kept where only an error message may want it."""

_THROTTLED = frozenset({429, 503})


@dataclass(frozen=True, slots=True)
class Parts:
    """What a run is made of."""

    backlog: Backlog
    pacer: Pacer
    controller: Controller
    retries: RetryPolicy
    budget: RetryBudget
    sender: Sender
    recorder: Recorder
    clock: Clock
    alarm: Alarm | None = None
    """A finer one than the clock's timers, where there is one."""
    pulse: Pulse | None = None
    """Feels how late answers are read, where that is wanted."""
    guards: Sequence[Guard] = ()
    deadline_s: float | None = None
    max_body: int = 16 * 2**20
    on_outcome: Callable[[Request, Outcome], None] | None = None
    """Takes the end of every request."""
    on_attempt: Callable[[Request, Attempt, float], None] | None = None
    """Takes every ended attempt, and when its request was due."""
    keep_bodies: bool = False
    """Whether it wants whole bodies."""


_Send = tuple[int, Pending, int, float, float]
"""What `Run._attempt` takes: serial, request, place in the pacer, when the gates were open, and sends lost before."""


class Run:
    """One burst, from the first request to the last answer."""

    def __init__(self, parts: Parts, start_s: float) -> None:
        self._parts = parts
        self._start_s = start_s
        self._wake = Wake(parts.clock, parts.alarm or LoopAlarm(parts.clock))
        self._flying: dict[int, Pending] = {}
        """Requests in flight, by the serial of their attempt."""
        self._lanes: list[asyncio.Task[None]] = []
        """Who sees to them: a task for each request that can be in flight, not for each request."""
        self._idle: list[asyncio.Future[_Send]] = []
        """What lanes without a request wait for."""
        self._serial = 0
        self._attempted = 0
        self._failing: set[int] = set()
        """Requests whose last attempt failed by something else than a server's wish to wait."""
        self._stop: Stop | None = None
        self.crash: Exception | None = None
        """A bug in burstctl that ended the run."""

    @property
    def stopped(self) -> Stop | None:
        """Why the run ended before its plan did."""
        return self._stop

    def stop(self, stop: Stop) -> None:
        """Send nothing more; the first order holds."""
        if self._stop is None:
            self._stop = stop
            self._wake.notify()

    async def execute(self) -> None:
        """Send everything, or as much as there is time for; every request begun has an outcome afterwards."""
        parts = self._parts
        deadline = None
        if parts.deadline_s is not None:
            reason = f"deadline of {parts.deadline_s:g} s reached"
            stop = Stop(Ending.DEADLINE, reason, drain_s=1.0)
            deadline = parts.clock.call_at(self._start_s + parts.deadline_s, lambda: self.stop(stop))
        if parts.pulse is not None:
            parts.pulse.start()
        try:
            # asyncio's own group: anyio's costs three times as much for each task, on the way of every send.
            async with asyncio.TaskGroup() as group:
                ticker = group.create_task(self._tick())
                await self._pump(group)
                await self._drain()
                ticker.cancel()
                for lane in self._lanes:
                    lane.cancel()
        except Exception as error:  # noqa: BLE001 - what was measured so far must still be reported
            self.crash = error
            self._stop = Stop(Ending.INTERNAL, "a bug in burstctl ended the run")
        finally:
            if deadline is not None:
                deadline.cancel()
            if parts.pulse is not None:
                parts.pulse.stop()
            self._settle_the_rest()

    def snapshot(self) -> Snapshot:
        """Tell how far the run is."""
        parts, now_s = self._parts, self._parts.clock.now()
        counts = parts.recorder.counts
        last = parts.recorder.timeline.last
        return Snapshot(
            elapsed_s=now_s - self._start_s,
            planned=counts.planned,
            attempted=self._attempted,
            succeeded=counts.succeeded,
            failed=counts.failed,
            attempts=counts.attempts,
            in_flight=len(self._flying),
            waiting=len(parts.backlog),
            failing=len(self._failing),
            sent_1s=parts.recorder.sends.in_last_second(now_s),
            rate_per_s=self._rate_per_s(),
            window=parts.controller.window(),
            p95_ms=last.p95_ms if last else None,
            status=counts.status,
            faults=counts.faults,
            paused_s=max(0.0, parts.controller.open_at() - now_s),
        )

    async def _pump(self, group: asyncio.TaskGroup) -> None:
        """Decide when each send goes: the only place where that happens."""
        parts = self._parts
        backlog, controller, pacer, clock = parts.backlog, parts.controller, parts.pacer, parts.clock
        while self._stop is None:
            now_s = clock.now()
            if backlog.empty and not self._flying:
                return
            ready_s = backlog.ready_at(now_s)
            if ready_s > now_s:
                await self._wake.sleep_until(ready_s)
                continue
            if len(self._flying) >= controller.window():
                await self._wake.sleep_until(math.inf)
                continue
            rate_per_s = controller.rate_per_s()
            open_s = max(pacer.open_at(rate_per_s), controller.open_at())
            if open_s > now_s:
                await self._wake.sleep_until(open_s)
                continue
            blocked_s = pacer.blocked_until(now_s)
            if blocked_s is not None:
                await self._wake.sleep_until(blocked_s)
                continue
            pending = backlog.take(now_s)
            if pending.request.broken is not None:
                self._end(pending, now_s, pending.request.broken)
                await asyncio.sleep(0)  # a long row of them must not hold up the answers
                continue
            place, lost_s = await pacer.release(now_s, rate_per_s)
            opened_s = max(open_s, pending.ready_s, self._wake.over_s)
            lost_sends = 0.0
            if lost_s > 0.0:
                # What the schedule lost by our own slowness, as far as the window had room for more than this send.
                lost_sends = min(lost_s, max(0.0, now_s - opened_s)) * rate_per_s
                lost_sends = max(0.0, min(lost_sends, controller.window() - len(self._flying) - 1))
            serial, self._serial = self._serial, self._serial + 1
            self._flying[serial] = pending
            send = serial, pending, place, opened_s, lost_sends
            if self._idle:
                self._idle.pop().set_result(send)
            else:
                self._lanes.append(group.create_task(self._lane(send)))

    async def _lane(self, send: _Send) -> None:
        """Make one send after the other, each when the pump says so, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            await self._attempt(*send)
            order: asyncio.Future[_Send] = loop.create_future()
            self._idle.append(order)
            send = await order

    async def _attempt(self, serial: int, pending: Pending, place: int, opened_s: float, lost_sends: float) -> None:
        """Exchange one request and see to what follows from its answer."""
        parts, request = self._parts, pending.request
        sent_s = parts.clock.now()
        parts.pacer.stamp(place, sent_s)
        pending.attempts += 1
        if pending.first_sent_s is None:
            pending.first_sent_s = sent_s
            self._attempted += 1
        if sent_s >= parts.recorder.second_ends_s:
            self._advance(sent_s)
        if pending.last is not None:
            parts.recorder.retried(pending.last)
        parts.controller.sent(serial, sent_s, len(self._flying))
        parts.recorder.sent(sent_s, lost_sends, len(self._flying))
        lag_s = max(0.0, sent_s - opened_s)
        whole = parts.keep_bodies or request.expect.reads_body
        try:
            answer = await parts.sender.send(request, parts.max_body if whole else _EXAMPLE_BYTES)
        except asyncio.CancelledError:
            answer = Answer(parts.clock.now(), fault=Fault.CANCELLED, detail="the run ended first")
            self._settle(serial, pending, sent_s, lag_s, answer)
            raise
        self._settle(serial, pending, sent_s, lag_s, answer)

    def _settle(self, serial: int, pending: Pending, sent_s: float, lag_s: float, answer: Answer) -> None:
        """Learn from an ended attempt; then its request is done, or waits for another one."""
        parts, request = self._parts, pending.request
        attempt = appraise(request, pending.attempts, serial, sent_s, answer, parts.clock.wall())
        del self._flying[serial]
        pending.last = attempt
        if answer.done_s >= parts.recorder.second_ends_s:
            self._advance(answer.done_s)
        parts.controller.observe(attempt, len(self._flying))
        delay_s = None
        if attempt.succeeded:
            parts.budget.earn()
        elif self._stop is None:
            delay_s = parts.retries.delay_s(request, attempt, pending.due_s)
        late_s = 0.0 if parts.pulse is None else parts.pulse.late_s(answer.done_s)
        parts.recorder.attempt(attempt, max(lag_s, late_s))
        if parts.on_attempt is not None:
            parts.on_attempt(request, attempt, pending.due_s)
        if delay_s is None:
            self._end(pending, answer.done_s, None if attempt.succeeded else failure_of(attempt))
        else:
            if answer.status not in _THROTTLED:
                self._failing.add(request.index)
            # Thousands may wait, each with an error page that nobody will ask for any more.
            pending.last = replace(attempt, answer=replace(answer, body=b"", headers=()))
            parts.backlog.defer(pending, answer.done_s + delay_s)
        self._wake.notify(late_s)

    def _end(self, pending: Pending, done_s: float, failure: Failure | None) -> None:
        """Close a request."""
        request = pending.request
        self._failing.discard(request.index)
        outcome = Outcome(
            index=request.index,
            name=request.name,
            due_s=pending.due_s,
            done_s=done_s,
            attempts=pending.attempts,
            first_sent_s=pending.first_sent_s,
            last=pending.last,
            failure=failure,
            row=request.row,
        )
        self._parts.recorder.outcome(outcome)
        if self._parts.on_outcome is not None:
            self._parts.on_outcome(request, outcome)

    def _settle_the_rest(self) -> None:
        """Fail what was attempted and will not be again; what never was stays unsent."""
        now_s = self._parts.clock.now()
        for pending in (*self._parts.backlog.abandon(), *self._flying.values()):
            if pending.last is not None:
                last = failure_of(pending.last).cause
                failure = Failure("cancelled: the run ended before another attempt", f"the last one: {last}")
                self._end(pending, now_s, failure)
        self._flying.clear()

    async def _drain(self) -> None:
        """Wait for answers in flight as long as the order to stop allows."""
        if self._stop is None:
            return
        until_s = self._parts.clock.now() + self._stop.drain_s
        while self._flying and self._parts.clock.now() < until_s:
            await self._wake.sleep_until(until_s)

    async def _tick(self) -> None:
        """Let time pass for the controller and have the guards look, until cancelled."""
        parts = self._parts
        while True:
            await asyncio.sleep(TICK_S)
            now_s = parts.clock.now()
            if now_s >= parts.recorder.second_ends_s:
                self._advance(now_s)
            parts.controller.tick(now_s, len(self._flying))
            so_far = self.snapshot() if parts.guards else None
            for guard in parts.guards:
                stop = guard.check(so_far) if so_far is not None else None
                if stop is not None:
                    self.stop(stop)
            self._wake.notify()

    def _advance(self, now_s: float) -> None:
        """Close the seconds that are over, before anything is counted."""
        self._parts.recorder.advance(now_s, self._rate_per_s(), self._parts.controller.window(), len(self._flying))

    def _rate_per_s(self) -> float:
        return min(self._parts.controller.rate_per_s(), self._parts.pacer.ceiling_per_s)
