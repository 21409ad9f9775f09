"""Jobs that share one ceiling live, against one fleet, as ratios to what a fluid would take: in virtual time."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import mean

import anyio
import pytest

from burstctl.clock import LoopClock
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.backlog import Backlog
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.control.shared import SharedController
from burstctl.engine import Parts, Run
from burstctl.fleet.model import FleetModel
from burstctl.fleet.spec import FleetSpec
from burstctl.pace.pacer import Pacer
from burstctl.pace.share.keeper import Keeper
from burstctl.pace.share.member import Member
from burstctl.pace.share.permits import Permits
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import terms_of
from burstctl.plan import RateLimit, Request
from burstctl.record.distribution import Distribution
from burstctl.record.recorder import Recorder
from burstctl.secret import Redactor

from ..conftest import Virtual
from ..pace.share.conftest import Server
from .conftest import RETRY, ModelSender

RATE, COUNT = 300.0, 400


@dataclass(slots=True)
class Course:
    """What the jobs came to together."""

    makespan_s: float = 0.0
    succeeded: int = 0
    peak_queue: int = 0
    latency_ms: Distribution = field(default_factory=Distribution)


async def play_shared(fleet: FleetSpec, starts_s: Sequence[float], seed: int) -> Course:
    loop = asyncio.get_running_loop()
    start_s, course = loop.time(), Course()
    model = FleetModel(fleet, start_s)
    sender, terms = ModelSender(model), terms_of(RATE, 200)
    server = Server(terms)

    async def job(number: int, begin_s: float) -> None:
        await asyncio.sleep(begin_s)
        clock, budget = LoopClock(loop), RetryBudget()
        permits = Permits(terms, clock)
        member = Member(f"{seed} {number}", terms, permits, Share())
        keeper = Keeper(server, member, clock)
        learnt = await keeper.join()
        assert learnt is not None
        begun_s = loop.time()
        limit = RateLimit(RATE, base_latency_s=learnt.base_latency_s)
        adaptive = AdaptiveController(limit, random.Random(f"{seed} {number}"), part=1 / member.most_jobs)
        controller = SharedController(adaptive, adaptive, member)
        recorder = Recorder({"a": COUNT}, Redactor(()), begun_s)
        requests = (Request(i, "a", "POST", "/") for i in range(COUNT))
        run = Run(
            Parts(
                backlog=Backlog(requests, RATE, budget, begun_s),
                pacer=Pacer(RATE, permits),
                controller=controller,
                retries=RetryPolicy(RETRY, random.Random(f"{number} {seed}")),
                budget=budget,
                sender=sender,
                recorder=recorder,
                clock=clock,
            ),
            begun_s,
        )
        async with anyio.create_task_group() as group:
            group.start_soon(keeper.run, controller)
            await run.execute()
            group.cancel_scope.cancel()
        await keeper.leave()
        assert run.crash is None
        total = recorder.total()
        course.succeeded += total.succeeded
        course.latency_ms.merge(total.latency_ms)
        course.makespan_s = max(course.makespan_s, loop.time() - start_s)

    async with anyio.create_task_group() as group:
        for number, begin_s in enumerate(starts_s):
            group.start_soon(job, number, begin_s)
    course.peak_queue = model.stats(loop.time()).peak_queue
    return course


def play_seed(virtual: Virtual, fleet: FleetSpec, starts_s: Sequence[float], seed: int) -> Course:
    course: Course = virtual(lambda: play_shared(replace(fleet, seed=seed), starts_s, seed))
    return course


@pytest.mark.parametrize(
    ("fleet", "starts_s", "ideal_s"),
    [
        (FleetSpec(slots=6, service_mean_s=0.04), (0, 0.02, 0.05), 1200 / 150),
        (FleetSpec(slots=6, service_mean_s=0.04), (0, 1, 3), 1200 / 150),
        (FleetSpec(slots=1, service_mean_s=1 / 150), (0, 0.02, 0.05), 1200 / 150),
        (FleetSpec(slots=1, service_mean_s=1 / 150), (0, 1, 3), 1200 / 150),
        (FleetSpec(slots=6, service_mean_s=1 / 150), (0, 0.02, 0.05), 1200 / 300),
        # Two have sent all they have by 2.67 s, the third one is alone.
        (FleetSpec(slots=6, service_mean_s=1 / 150), (0, 1, 3), 3 + 400 / 300),
    ],
)
def test_jobs_use_all_that_ceiling_and_fleet_allow(
    virtual: Virtual, fleet: FleetSpec, starts_s: Sequence[float], ideal_s: float
) -> None:
    courses = [play_seed(virtual, fleet, starts_s, seed) for seed in range(3)]
    assert [course.succeeded for course in courses] == [3 * COUNT] * 3
    assert mean(course.makespan_s for course in courses) <= 1.05 * ideal_s
    assert max(course.peak_queue for course in courses) <= 60
    p95_ms = [course.latency_ms.spread().p95 for course in courses]
    assert all(one is not None and one <= 200 for one in p95_ms)
