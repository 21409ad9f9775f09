"""The run's laws, in virtual time, against servers made of a function: nothing is lost, nothing is counted twice."""

import asyncio
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.attempt import Answer, Failure, Fault
from burstctl.clock import LoopClock
from burstctl.control.abort import AbortGuard
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.backlog import Backlog
from burstctl.control.controller import Controller
from burstctl.control.fixed import FixedController
from burstctl.control.guard import Guard, Stop
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.control.unavailable import UnavailableGuard
from burstctl.engine import Parts, Run
from burstctl.outcome import Outcome
from burstctl.pace.pacer import Pacer
from burstctl.pace.pulse import Pulse
from burstctl.plan import Plan, RateLimit, Request, Retry, Target
from burstctl.record.recorder import Recorder
from burstctl.record.summarize import Course, summarize
from burstctl.summary import Ending, Summary
from burstctl.threshold import parse_threshold

Virtual = Callable[[Callable[[], Any]], Any]
Script = Callable[[Request, int], tuple[float, int | Fault, dict[str, str]]]
"""How a server answers: request, number of its attempt → seconds, status or fault, headers."""

RETRY = Retry(frozenset({429, *range(500, 600)}), frozenset({Fault.CONNECT, Fault.TIMEOUT, Fault.RESET}))


@dataclass
class ScriptedSender:
    """Answers as told, in virtual time."""

    script: Script
    sent_s: list[float] = field(default_factory=list)
    seen: dict[int, int] = field(default_factory=dict)
    in_flight: int = 0
    most_in_flight: int = 0

    async def send(self, request: Request, keep_bytes: int) -> Answer:
        loop = asyncio.get_running_loop()
        self.sent_s.append(loop.time())
        self.seen[request.index] = self.seen.get(request.index, 0) + 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        seconds, result, headers = self.script(request, self.seen[request.index])
        try:
            await asyncio.sleep(seconds)
        finally:
            self.in_flight -= 1
        if isinstance(result, Fault):
            return Answer(loop.time(), fault=result, detail="as told")
        return Answer(loop.time(), loop.time(), result, headers=tuple(headers.items()))

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass
class Burst:
    """A run and what came of it."""

    summary: Summary
    sender: ScriptedSender
    outcomes: list[Outcome]
    crash: Exception | None


def requests(count: int) -> Iterator[Request]:
    return (Request(i, "a" if i % 3 else "b", "POST", "/") for i in range(count))


def fire(
    virtual: Virtual,
    script: Script,
    count: int = 100,
    *,
    rate: float = 300.0,
    controller: Callable[[], Controller] | None = None,
    retry: Retry = RETRY,
    guards: tuple[Guard, ...] = (),
    deadline_s: float | None = None,
    stop_at: tuple[float, Stop] | None = None,
    plan_requests: Callable[[int], Iterator[Request]] = requests,
    stall: tuple[float, float] | None = None,
) -> Burst:
    async def main() -> Burst:
        loop: Any = asyncio.get_running_loop()
        clock = LoopClock(loop)
        start_s = clock.now()
        names = [request.name for request in plan_requests(count)]
        counts = {name: names.count(name) for name in dict.fromkeys(names)}
        plan = Plan(Target("http://x"), RateLimit(rate), retry, counts, lambda: plan_requests(count), ())
        recorder = Recorder(counts, plan.redactor, start_s)
        steering = controller() if controller else AdaptiveController(RateLimit(rate), random.Random(1))
        budget, sender, outcomes = RetryBudget(), ScriptedSender(script), list[Outcome]()
        run = Run(
            Parts(
                backlog=Backlog(plan.requests(), rate, budget, start_s),
                pacer=Pacer(rate),
                controller=steering,
                retries=RetryPolicy(retry, random.Random(2)),
                budget=budget,
                sender=sender,
                recorder=recorder,
                clock=clock,
                pulse=Pulse(clock),
                guards=guards,
                deadline_s=deadline_s,
                on_outcome=lambda _request, outcome: outcomes.append(outcome),
            ),
            start_s,
        )
        if stop_at is not None:
            when_s, stop = stop_at
            clock.call_at(start_s + when_s, lambda: run.stop(stop))
        if stall is not None:
            at_s, for_s = stall
            clock.call_at(start_s + at_s, lambda: loop.stall(for_s))
        await run.execute()
        ending = run.stopped.ending if run.stopped else Ending.COMPLETE
        course = Course(0.0, clock.now() - start_s, 0.0, steering.rate_per_s(), steering.window(), ending)
        return Burst(summarize(plan, recorder, course), sender, outcomes, run.crash)

    burst: Burst = virtual(main)
    return burst


def good(_request: Request, _number: int) -> tuple[float, int, dict[str, str]]:
    return 0.04, 200, {}


def assert_identity(burst: Burst) -> None:
    for figures in (burst.summary.total, *burst.summary.requests.values()):
        assert figures.planned == figures.succeeded + figures.failed + figures.unsent
    total = burst.summary.total
    assert total.attempts == len(burst.sender.sent_s)
    assert total.attempts == len(burst.sender.seen) + total.retries
    assert total.attempts == sum(total.status.values()) + sum(total.faults.values())
    assert len(burst.outcomes) == total.succeeded + total.failed
    assert len({outcome.index for outcome in burst.outcomes}) == len(burst.outcomes)
    assert sum(second.sent for second in burst.summary.timeline) == total.attempts
    assert sum(second.succeeded for second in burst.summary.timeline) == total.succeeded
    assert burst.sender.in_flight == 0


def test_a_healthy_burst_is_sent_in_the_least_time_and_in_order(virtual: Virtual) -> None:
    burst = fire(virtual, good, 900)
    total = burst.summary.total
    assert (total.succeeded, total.attempts, burst.crash) == (900, 900, None)
    assert burst.summary.duration_s == pytest.approx(899 / 300 + 0.04, rel=0.01)
    assert burst.summary.rate.max_1s == 300
    assert total.latency_ms.p99 == pytest.approx(40)
    assert total.wait_ms.max is not None
    assert total.wait_ms.max < 15
    assert [outcome.index for outcome in burst.outcomes] == list(range(900))
    assert_identity(burst)


def test_the_window_bounds_what_is_in_flight_and_its_wait_is_not_lag(virtual: Virtual) -> None:
    burst = fire(virtual, lambda _r, _n: (1.0, 200, {}), 200, controller=lambda: FixedController(300, 10))
    assert burst.sender.most_in_flight == burst.summary.in_flight.max == 10
    assert burst.summary.duration_s == pytest.approx(20, rel=0.02)
    assert burst.summary.generator.lag_ms.max == pytest.approx(0, abs=0.1)
    assert burst.summary.total.wait_ms.max == pytest.approx(19_000 - 199 / 300 * 1000, rel=0.02)
    assert burst.summary.total.response_ms.max == pytest.approx(20_000 - 190 / 300 * 1000, rel=0.02)


def test_answers_that_burstctl_left_unread_are_its_own_lag(virtual: Virtual) -> None:
    def steady() -> Controller:
        return FixedController(300, 10)

    calm = fire(virtual, good, 200, controller=steady).summary
    stalled = fire(virtual, good, 200, controller=steady, stall=(0.3, 0.8)).summary
    assert calm.generator.lag_ms.max == pytest.approx(0, abs=0.1)
    assert stalled.total.latency_ms.max == pytest.approx(800, abs=45)
    assert stalled.generator.lag_ms.max == pytest.approx(800, abs=45)
    assert sum(second.sent for second in stalled.timeline) == stalled.total.attempts == 200


def test_a_retry_is_never_earlier_than_the_server_asked(virtual: Virtual) -> None:
    def script(_request: Request, number: int) -> tuple[float, int, dict[str, str]]:
        return (0.01, 429, {"retry-after": "3"}) if number == 1 else (0.01, 200, {})

    burst = fire(virtual, script, 1)
    assert burst.sender.sent_s[1] - burst.sender.sent_s[0] >= 3.01
    assert burst.summary.total.response_ms.max is not None
    assert burst.summary.total.response_ms.max >= 3020
    assert burst.summary.total.latency_ms.max == pytest.approx(10)


def test_what_is_not_in_the_retry_policy_fails_at_once(virtual: Virtual) -> None:
    burst = fire(virtual, lambda _r, _n: (0.01, 404, {}), 10)
    assert (burst.summary.total.failed, burst.summary.total.attempts) == (10, 10)
    assert burst.summary.total.causes[0].text == "status 404"


def test_an_unsafe_request_is_sent_again_only_where_the_server_did_not_act(virtual: Virtual) -> None:
    def unsafe(count: int) -> Iterator[Request]:
        return (Request(i, "a", "POST", "/", safe=False) for i in range(count))

    results: list[int | Fault] = [500, Fault.TIMEOUT, Fault.RESET, 503, 429, Fault.CONNECT]

    def script(request: Request, number: int) -> tuple[float, int | Fault, dict[str, str]]:
        return 0.01, results[request.index] if number == 1 else 200, {}

    burst = fire(virtual, script, len(results), plan_requests=unsafe)
    assert [burst.sender.seen[i] for i in range(len(results))] == [1, 1, 1, 2, 2, 2]


def test_attempts_end_at_their_maximum(virtual: Virtual) -> None:
    burst = fire(virtual, lambda _r, _n: (0.01, 500, {}), 3, retry=Retry(frozenset({500}), frozenset(), 4))
    assert (burst.summary.total.failed, burst.summary.total.attempts, burst.summary.total.retries) == (3, 12, 9)
    assert_identity(burst)


def test_a_request_is_not_tried_beyond_its_own_deadline(virtual: Virtual) -> None:
    retry = Retry(frozenset({503}), frozenset(), 100, deadline_s=2.0)
    burst = fire(virtual, lambda _r, _n: (0.01, 503, {}), 1, retry=retry)
    assert burst.summary.total.failed == 1
    assert burst.summary.duration_s <= 2.1


def test_a_wait_of_an_hour_is_not_waited_for(virtual: Virtual) -> None:
    burst = fire(virtual, lambda _r, _n: (0.01, 429, {"retry-after": "3600"}), 1)
    assert burst.summary.total.failed == 1
    assert burst.summary.duration_s < 1


def test_at_the_deadline_what_was_never_sent_is_unsent_and_what_was_sent_failed(virtual: Virtual) -> None:
    burst = fire(
        virtual, lambda _r, _n: (5.0, 200, {}), 900, deadline_s=1.0, controller=lambda: FixedController(300, 50)
    )
    total = burst.summary.total
    assert burst.summary.ending is Ending.DEADLINE
    assert burst.summary.duration_s == pytest.approx(2.0, abs=0.1)
    assert (total.failed, total.unsent, total.faults) == (50, 850, {"cancelled": 50})
    assert_identity(burst)


def test_a_stop_lets_answers_in_flight_come_in(virtual: Virtual) -> None:
    stop = Stop(Ending.INTERRUPTED, "SIGINT", drain_s=5.0)
    burst = fire(
        virtual,
        lambda _r, _n: (0.5, 200, {}),
        900,
        stop_at=(1.0, stop),
        controller=lambda: FixedController(300, 10_000),
    )
    total = burst.summary.total
    assert total.failed == 0
    assert 0 < total.unsent < 900
    assert burst.summary.duration_s == pytest.approx(1.5, abs=0.1)
    assert_identity(burst)


def test_a_target_that_is_not_there_ends_the_run_after_ten_seconds(virtual: Virtual) -> None:
    burst = fire(virtual, lambda _r, _n: (0.001, Fault.CONNECT, {}), 1200, guards=(UnavailableGuard(),))
    assert burst.summary.ending is Ending.UNAVAILABLE
    assert burst.summary.duration_s <= 10.7
    assert burst.summary.total.faults == {"connect": burst.summary.total.attempts}
    assert_identity(burst)


@pytest.mark.parametrize("count", [1200, 60_000])
def test_abort_notices_a_broken_deployment_long_before_its_retries_are_used_up(virtual: Virtual, count: int) -> None:
    guard = AbortGuard(parse_threshold("failed > 10%"))
    burst = fire(virtual, lambda _r, _n: (0.001, 500, {}), count, guards=(guard,))
    assert burst.summary.ending is Ending.ABORTED
    assert burst.summary.total.attempts < 1200
    assert_identity(burst)


def test_abort_forgives_a_blip_that_retries_heal(virtual: Virtual) -> None:
    def script(_request: Request, _number: int) -> tuple[float, int, dict[str, str]]:
        now_s = asyncio.get_running_loop().time() - 1000
        return 0.02, 502 if 1 < now_s < 2 else 200, {}

    burst = fire(virtual, script, 1200, guards=(AbortGuard(parse_threshold("failed > 10%")),))
    assert burst.summary.ending is Ending.COMPLETE
    assert burst.summary.total.failed == 0


def test_a_request_that_cannot_be_made_fails_without_an_attempt(virtual: Virtual) -> None:
    def broken(count: int) -> Iterator[Request]:
        return (
            Request(i, "a", "POST", "/", row=i, broken=Failure("broken row", f"line {i}") if i % 2 else None)
            for i in range(count)
        )

    burst = fire(virtual, good, 10, plan_requests=broken)
    assert (burst.summary.total.succeeded, burst.summary.total.failed, burst.summary.total.attempts) == (5, 5, 5)
    assert_identity(burst)


def test_a_bug_in_a_part_is_reported_with_what_was_measured_so_far(virtual: Virtual) -> None:
    def script(request: Request, _number: int) -> tuple[float, int, dict[str, str]]:
        if request.index == 50:
            raise ZeroDivisionError
        return 0.01, 200, {}

    burst = fire(virtual, script, 100)
    assert burst.crash is not None
    assert burst.summary.ending is Ending.INTERNAL
    assert burst.summary.total.succeeded > 30


RESULTS = st.one_of(
    st.sampled_from([200, 200, 200, 404, 429, 500, 503, 504]),
    st.sampled_from([Fault.TIMEOUT, Fault.CONNECT, Fault.PROTOCOL]),
)


@settings(max_examples=120, deadline=None)
@given(
    results=st.lists(
        st.tuples(st.floats(0.0, 3.0), RESULTS, st.sampled_from(["", "", "1", "0.2", "nonsense"])),
        min_size=1,
        max_size=30,
    ),
    count=st.integers(0, 60),
    rate=st.sampled_from([1.0, 20.0, 300.0]),
    fixed=st.booleans(),
    deadline_s=st.one_of(st.none(), st.floats(0.01, 20.0)),
    stop_s=st.one_of(st.none(), st.floats(0.0, 10.0)),
    attempts=st.integers(1, 10),
)
def test_nothing_is_lost_whatever_the_server_does(
    virtual: Virtual,
    results: list[tuple[float, int | Fault, str]],
    count: int,
    rate: float,
    fixed: bool,
    deadline_s: float | None,
    stop_s: float | None,
    attempts: int,
) -> None:
    def script(request: Request, number: int) -> tuple[float, int | Fault, dict[str, str]]:
        seconds, result, after = results[(request.index * 7 + number) % len(results)]
        return seconds, result, {"retry-after": after} if after else {}

    burst = fire(
        virtual,
        script,
        count,
        rate=rate,
        controller=(lambda: FixedController(rate, 10_000)) if fixed else None,
        retry=Retry(RETRY.statuses, RETRY.faults, attempts),
        deadline_s=deadline_s,
        stop_at=None if stop_s is None else (stop_s, Stop(Ending.TERMINATED, "SIGTERM", drain_s=1.0)),
    )
    assert burst.crash is None
    assert_identity(burst)
    k = math.ceil(rate)
    times = burst.sender.sent_s
    assert all(times[i + k] - times[i] >= k / rate for i in range(len(times) - k))
    if burst.summary.ending is Ending.COMPLETE:
        assert burst.summary.total.unsent == 0


def test_every_retry_has_its_reason_counted(virtual: Virtual) -> None:
    burst = fire(virtual, lambda r, n: (0.01, [503, 200][n - 1] if r.index % 2 else 200, {}), 40)
    assert burst.summary.total.retries == 20
    assert [(cause.text, cause.count) for cause in burst.summary.total.retry_causes] == [("status 503", 20)]
