"""The engine's goals over the scenarios that it was designed for, as ratios to the physical limit.

Fleets of about 40 ms unless said otherwise; capacities, quotas and N are chosen so that the ideal makespan is known.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

import pytest

from burstctl.fleet.spec import FleetSpec, Quota, ServiceTime, Step

Play = Callable[..., Any]


def fleet(
    capacity_rps: float, service_s: float = 0.04, steps: tuple[tuple[float, float], ...] = (), **more: Any
) -> FleetSpec:
    """Give a fleet of a capacity at a mean service time, exactly."""
    slots = max(1, round(capacity_rps * service_s))
    return FleetSpec(
        slots=slots, service_mean_s=slots / capacity_rps, capacity_steps=tuple(Step(*step) for step in steps), **more
    )


@dataclass(frozen=True, slots=True)
class Goal:
    """A scenario, its ideal makespan, and what must be reached: ratio, queue, p95 in ms, wasted share."""

    fleet: FleetSpec
    requests: int
    ideal_s: float
    makespan: float = 1.05
    queue: int = 60
    p95_ms: float = 200.0
    wasted: float = 0.0
    rate: float = 300.0
    jobs: int = 1
    stagger_s: float = 0.0
    max_in_flight: int | None = None
    seeds: int = 3


GOALS = {
    "S0 healthy fleet": Goal(fleet(350), 1200, 4.0),
    "S1a quota 150/s, bucket 150": Goal(fleet(350, quota=Quota(150, 150)), 1200, 7.0, 1.10, wasted=0.03),
    "S1b quota 150/s, bucket 15": Goal(fleet(350, quota=Quota(150, 15)), 1200, 7.9, 1.10, wasted=0.03),
    "S1c quota, N=12,000": Goal(fleet(350, quota=Quota(150, 150)), 12_000, 79.0, 1.05, wasted=0.03, seeds=1),
    "S1d quota 60/s": Goal(fleet(350, quota=Quota(60, 60)), 1200, 19.0, 1.10, wasted=0.03),
    "S1e quota 240/s": Goal(fleet(350, quota=Quota(240, 30)), 1200, 4.9, 1.11, wasted=0.03),
    "S1f quota, Retry-After 5": Goal(
        fleet(350, quota=Quota(150, 150), retry_after_s=5), 12_000, 79.0, 1.15, wasted=0.03, seeds=2
    ),
    "S1a with its policy announced": Goal(fleet(350, quota=Quota(150, 150), policy_header=True), 1200, 7.0, 1.04),
    "S1b with its policy announced": Goal(fleet(350, quota=Quota(150, 15), policy_header=True), 1200, 7.9, 1.04),
    "S1d with its policy announced": Goal(fleet(350, quota=Quota(60, 60), policy_header=True), 1200, 19.0, 1.04),
    "S2 503 at a queue of 200": Goal(fleet(150, queue_limit=200), 1200, 8.0, wasted=0.005),
    "S2b 503 at a queue of 20": Goal(fleet(150, queue_limit=20), 1200, 8.0, wasted=0.005),
    "S3 unbounded queue": Goal(fleet(150), 1200, 8.0),
    "S3L unbounded queue, N=12,000": Goal(fleet(150), 12_000, 80.0, 1.03, seeds=1),
    "S4u capacity up": Goal(fleet(150, steps=((10, 300),)), 6000, 25.0, 1.03),
    "S4d capacity down": Goal(fleet(300, steps=((10, 150),)), 6000, 30.0, 1.03),
    "S4c cold start": Goal(fleet(25, steps=((5, 150), (15, 300))), 6000, 29.6, 1.04, p95_ms=250),
    "S5 three uncoordinated jobs": Goal(fleet(150), 1200, 8.0, 1.05, 200, 450, jobs=3),
    "S5s three jobs, ceiling split": Goal(fleet(150), 1200, 8.0, 1.10, 60, 200, rate=100, jobs=3),
    "S5q three jobs, bounded queue": Goal(fleet(150, queue_limit=200), 12_000, 80.0, 1.05, 200, 450, jobs=3, seeds=1),
    "S5t three jobs, staggered": Goal(fleet(150), 6000, 40.0, 1.05, 200, 450, jobs=3, stagger_s=3.0),
    "S5m ten jobs, count known": Goal(fleet(150), 12_000, 80.0, 1.05, 200, 530, jobs=10, max_in_flight=20, seeds=1),
    "S6 1 % random 500s": Goal(fleet(350, error_share=0.01), 6000, 20.0, wasted=0.013),
    "S6b 1 % random 503s": Goal(fleet(350, error_share=0.01, error_status=503), 6000, 20.0, 1.08, wasted=0.013),
    "S6c 5 % random 500s": Goal(fleet(350, error_share=0.05), 6000, 20.0, 1.18, wasted=0.06),
    "S7 slow model, 400 ms": Goal(fleet(150, 0.4), 6000, 40.0, 1.10, 145, 1242),
    "S7h slow model, short burst": Goal(fleet(350, 0.4), 1200, 4.0, 1.60, p95_ms=835),
    "S8 heavy tail": Goal(fleet(150, sigma=1.0), 6000, 40.0, 1.03, p95_ms=240),
    "S9 N=60,000 at 3,000/s": Goal(fleet(1500), 60_000, 40.0, 1.03, 160, 200, rate=3000, seeds=1),
    "S9b N=60,000 at 300/s": Goal(fleet(150), 60_000, 400.0, 1.03, seeds=1),
    "S10 service time grows fivefold": Goal(
        FleetSpec(slots=12, service_mean_s=0.04, service_steps=(Step(10, 0.2),)), 4000, 26.7, 1.21, p95_ms=470
    ),
    "S11 outage of 5 s": Goal(fleet(200, steps=((5, 0), (10, 200))), 4000, 25.0, 1.04),
    "S12 service 120 ms": Goal(fleet(150, 0.12), 3000, 20.0, 1.05, 69, 450),
    "short burst, Retry-After 2": Goal(fleet(350, quota=Quota(150, 15), retry_after_s=2), 1200, 7.9, 1.60, wasted=0.03),
    "short burst, small quota, Retry-After 2": Goal(
        fleet(350, quota=Quota(10, 5), retry_after_s=2), 100, 9.5, 2.25, wasted=0.10
    ),
    "two slow slots under a high ceiling": Goal(
        FleetSpec(slots=2, service_mean_s=0.4, service_time=ServiceTime.EXPONENTIAL), 700, 140.0, queue=25, p95_ms=4000
    ),
    "four slots of 2 s under a high ceiling": Goal(
        FleetSpec(slots=4, service_mean_s=2.0), 200, 100.0, 1.15, 40, 20_000
    ),
    "S5x ten jobs, count unknown": Goal(fleet(150), 12_000, 80.0, 1.05, 200, 530, jobs=10, seeds=1),
    "S13 three jobs on a small fleet": Goal(fleet(75), 3000, 40.0, 1.03, 60, 450, rate=100, jobs=3),
}


@pytest.mark.parametrize("name", GOALS)
def test_goals(play: Play, scenario: Callable[..., Any], name: str) -> None:
    """Hold every seed to makespan, queue and waste, and the seeds together to the p95, which one cohort can move."""
    goal, courses = GOALS[name], []
    for seed in range(goal.seeds):
        played = scenario(
            fleet=replace(goal.fleet, seed=seed),
            requests=goal.requests,
            rate=goal.rate,
            jobs=goal.jobs,
            stagger_s=goal.stagger_s,
            max_in_flight=goal.max_in_flight,
        )
        courses.append(play(played, seed))
    for seed, course in enumerate(courses):
        figures = f"seed {seed}: {course.makespan_s / goal.ideal_s:.3f} x ideal, queue {course.peak_queue}, "
        figures += f"p95 {course.p95_ms:.0f} ms, wasted {course.wasted:.2%}"
        assert course.succeeded == goal.requests, figures
        assert course.makespan_s <= goal.makespan * goal.ideal_s, figures
        assert course.peak_queue <= goal.queue, figures
        assert course.wasted <= goal.wasted, figures
    assert mean(course.p95_ms for course in courses) <= goal.p95_ms
