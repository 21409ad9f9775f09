"""Plays a scenario: jobs with the real engine and controller against the fleet model, in virtual time."""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest

from burstctl.attempt import Answer, Fault
from burstctl.clock import LoopClock
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.backlog import Backlog
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.engine import Parts, Run
from burstctl.fleet.model import FleetModel, Refusal, Ticket
from burstctl.fleet.spec import FleetSpec
from burstctl.pace.pacer import Pacer
from burstctl.plan import RateLimit, Request, Retry
from burstctl.record.distribution import Distribution
from burstctl.record.recorder import Recorder
from burstctl.secret import Redactor

NET_S = 0.005
"""One way from a job to the fleet."""
TIMEOUT_S = 30.0
RETRY = Retry(frozenset({429, *range(500, 600)}), frozenset({Fault.TIMEOUT, Fault.CONNECT, Fault.RESET}))


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fleet, and jobs of `rate` each that send `requests` in all, `stagger_s` apart."""

    fleet: FleetSpec
    requests: int
    rate: float = 300.0
    jobs: int = 1
    stagger_s: float = 0.0
    max_in_flight: int | None = None


@dataclass(slots=True)
class Course:
    """What a scenario came to."""

    requests: int
    succeeded: int = 0
    attempts: int = 0
    makespan_s: float = 0.0
    peak_queue: int = 0
    latency_ms: Distribution = field(default_factory=Distribution)

    @property
    def wasted(self) -> float:
        """Attempts beyond one per success, as a share of the requests."""
        return (self.attempts - self.succeeded) / self.requests

    @property
    def p95_ms(self) -> float:
        p95 = self.latency_ms.spread().p95
        assert p95 is not None
        return p95


class ModelSender:
    """Sends to a fleet model that all jobs share; wakes requests when their service ends."""

    def __init__(self, model: FleetModel) -> None:
        self._loop = asyncio.get_running_loop()
        self._model = model
        self._awaited: dict[int, asyncio.Future[None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    async def send(self, request: Request, keep_bytes: int) -> Answer:
        loop, sent_s = self._loop, self._loop.time()
        await asyncio.sleep(NET_S)
        arrived = self._model.arrive(loop.time())
        if isinstance(arrived, Refusal):
            await asyncio.sleep(arrived.delay_s + NET_S)
            headers = self._quota_headers(arrived.retry_after_s if arrived.status == 429 else None)
            if arrived.retry_after_s is not None:
                headers += (("retry-after", str(arrived.retry_after_s)),)
            return Answer(loop.time(), loop.time(), arrived.status, headers=headers)
        done = self._awaited[id(arrived)] = loop.create_future()
        self._collect()
        late = loop.call_at(sent_s + TIMEOUT_S, self._give_up, arrived, done)
        await done
        late.cancel()
        if arrived.abandoned:
            return Answer(loop.time(), fault=Fault.TIMEOUT, detail="too late")
        headers = self._quota_headers()
        await asyncio.sleep(NET_S)
        return Answer(loop.time(), loop.time(), 200, headers=headers)

    async def aclose(self) -> None:
        """Nothing is open."""

    def _quota_headers(self, blocked_s: int | None = None) -> tuple[tuple[str, str], ...]:
        headers = self._model.rate_limit_headers(self._loop.time(), blocked_s)
        return tuple((name.lower(), value) for name, value in headers)

    def _give_up(self, ticket: Ticket, done: asyncio.Future[None]) -> None:
        if not done.done():
            self._model.abandon(ticket)
            done.set_result(None)

    def _collect(self) -> None:
        """Wake what is finished and come back when the next one is."""
        for ticket in self._model.advance(self._loop.time()):
            done = self._awaited.pop(id(ticket))
            if not done.done():
                done.set_result(None)
        if self._timer is not None:
            self._timer.cancel()
        next_s = self._model.next_event()
        self._timer = None if next_s is None else self._loop.call_at(next_s, self._collect)


async def play_scenario(scenario: Scenario, seed: int) -> Course:
    loop = asyncio.get_running_loop()
    start_s, course = loop.time(), Course(scenario.requests)
    model = FleetModel(scenario.fleet, start_s)
    sender = ModelSender(model)

    async def job(number: int) -> None:
        await asyncio.sleep(number * scenario.stagger_s)
        count = scenario.requests // scenario.jobs
        clock, begun_s, budget = LoopClock(loop), loop.time(), RetryBudget()
        recorder = Recorder({"a": count}, Redactor(()), begun_s)
        requests: Iterator[Request] = (Request(i, "a", "POST", "/") for i in range(count))
        limit = RateLimit(scenario.rate, max_in_flight=scenario.max_in_flight)
        run = Run(
            Parts(
                backlog=Backlog(requests, scenario.rate, budget, begun_s),
                pacer=Pacer(scenario.rate),
                controller=AdaptiveController(limit, random.Random(f"{seed} {number}")),
                retries=RetryPolicy(RETRY, random.Random(f"{number} {seed}")),
                budget=budget,
                sender=sender,
                recorder=recorder,
                clock=clock,
            ),
            begun_s,
        )
        await run.execute()
        assert run.crash is None
        total = recorder.total()
        course.succeeded += total.succeeded
        course.attempts += total.attempts
        course.latency_ms.merge(total.latency_ms)
        course.makespan_s = max(course.makespan_s, loop.time() - start_s)

    async with anyio.create_task_group() as group:
        for number in range(scenario.jobs):
            group.start_soon(job, number)
    course.peak_queue = model.stats(loop.time()).peak_queue
    return course


@pytest.fixture(scope="session")
def play(virtual: Callable[[Callable[[], Any]], Any]) -> Callable[[Scenario, int], Course]:
    """Play a scenario with a seed."""
    return lambda scenario, seed: virtual(lambda: play_scenario(scenario, seed))


@pytest.fixture(scope="session")
def scenario() -> type[Scenario]:
    """Describe a scenario."""
    return Scenario
