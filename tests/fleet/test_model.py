"""The laws of the queueing model, on virtual time."""

import math
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.fleet.model import ERROR_DELAY_S, FleetModel, Refusal, Ticket
from burstctl.fleet.spec import FleetSpec, Quota, ServiceTime, Step

FIXED = ServiceTime.FIXED


def drain(model: FleetModel) -> list[Ticket]:
    done: list[Ticket] = []
    while (due_s := model.next_event()) is not None:
        done += model.advance(due_s)
    return done


def admit(model: FleetModel, now_s: float) -> Ticket:
    taken = model.arrive(now_s)
    assert isinstance(taken, Ticket)
    return taken


def finish_s(ticket: Ticket) -> float:
    assert ticket.finished_s is not None
    return ticket.finished_s


def evenly(rate: float, count: int) -> Iterator[float]:
    return (number / rate for number in range(count))


def test_1200_at_once_on_three_times_150_drain_in_8_thirds_of_a_second_with_a_peak_of_1197() -> None:
    model = FleetModel(FleetSpec(service_time=FIXED))
    tickets = [admit(model, 0.0) for _ in range(1200)]
    assert drain(model) == tickets
    assert finish_s(tickets[-1]) == pytest.approx(8 / 3)
    stats = model.stats(10.0)
    assert stats.peak_queue == 1197
    assert stats.max_arrivals_1s == 1200
    assert stats.last_done_s == pytest.approx(8 / 3)
    assert stats.queue_wait_ms is not None
    assert stats.queue_wait_ms.max == pytest.approx(1000 * 399 / 150)


@st.composite
def specs(draw: st.DrawFn) -> FleetSpec:
    steps = draw(st.lists(st.builds(Step, st.floats(0, 5), st.sampled_from([0.0, 5.0, 30.0, 100.0])), max_size=3))
    return FleetSpec(
        slots=draw(st.integers(1, 8)),
        service_mean_s=draw(st.floats(0.01, 0.5)),
        service_time=draw(st.sampled_from(ServiceTime)),
        queue_limit=draw(st.none() | st.integers(0, 10)),
        overload_status=draw(st.sampled_from([429, 503])),
        quota=draw(st.none() | st.builds(Quota, st.floats(1, 100), st.floats(1, 20))),
        error_share=draw(st.sampled_from([0.0, 0.2, 1.0])),
        error_status=draw(st.sampled_from([500, 503])),
        capacity_steps=tuple(steps),
        service_steps=draw(st.sampled_from([(), (Step(1.0, 0.2),)])),
        seed=draw(st.integers(0, 9)),
    )


@given(spec=specs(), gaps=st.lists(st.floats(0, 0.3) | st.just(0.0), max_size=80), poll=st.booleans())
def test_whatever_happens_requests_are_conserved_first_come_first_served_and_bounded(
    spec: FleetSpec, gaps: list[float], poll: bool
) -> None:
    model, now_s = FleetModel(spec), 0.0
    tickets: list[Ticket] = []
    refusals: list[Refusal] = []
    done: list[Ticket] = []
    for gap in gaps:
        now_s += gap
        taken = model.arrive(now_s)
        if isinstance(taken, Ticket):
            tickets.append(taken)
        else:
            refusals.append(taken)
        if poll:
            done += model.advance(now_s)
        stats = model.stats(now_s)
        assert stats.arrivals == stats.served + stats.refused + stats.queue + stats.in_service
        assert stats.arrivals == len(tickets) + len(refusals)
        assert sum(stats.status.values()) == stats.served + stats.refused
        assert spec.queue_limit is None or stats.queue <= stats.peak_queue <= spec.queue_limit
        assert stats.queue == 0 or stats.in_service >= stats.slots
    done += drain(model)
    stats = model.stats(now_s + 1e6)
    assert len(done) == stats.served == stats.arrivals - stats.refused - stats.queue
    assert [finish_s(ticket) for ticket in done] == sorted(finish_s(ticket) for ticket in done)
    starts = [ticket.started_s for ticket in tickets if ticket.started_s is not None]
    assert starts == sorted(starts)
    assert starts == [ticket.started_s for ticket in tickets[: len(starts)]]


def test_how_often_the_model_is_looked_at_changes_nothing() -> None:
    def run(look: Callable[[FleetModel, float], object]) -> list[float]:
        model = FleetModel(FleetSpec(slots=2, service_mean_s=0.04, capacity_steps=(Step(1, 10), Step(2, 100)), seed=3))
        tickets = []
        for at_s in evenly(60, 200):
            look(model, at_s)
            tickets.append(admit(model, at_s))
        model.advance(1000.0)
        return [finish_s(ticket) for ticket in tickets]

    assert run(lambda model, at_s: model.advance(at_s)) == run(lambda *_: None)


@pytest.mark.parametrize("shape", ServiceTime)
def test_utilisation_and_littles_law_hold_in_the_long_run(shape: ServiceTime) -> None:
    slots, mean_s, rate, count = 6, 0.04, 120.0, 12_000
    model = FleetModel(FleetSpec(slots=slots, service_mean_s=mean_s, service_time=shape))
    rng = random.Random(1)
    tickets: list[Ticket] = []
    in_system = 0
    for at_s in evenly(rate, count):
        tickets.append(admit(model, at_s))
        stats = model.stats(at_s + rng.random() / rate)
        in_system += stats.queue + stats.in_service
    drain(model)
    span_s = count / rate
    busy_s = sum(finish_s(ticket) - (ticket.started_s or 0.0) for ticket in tickets)
    assert busy_s / (slots * span_s) == pytest.approx(rate * mean_s / slots, rel=1e-3)
    sojourn_s = sum(finish_s(ticket) - ticket.arrived_s for ticket in tickets) / count
    assert in_system / count == pytest.approx(rate * sojourn_s, rel=0.02)


def test_overload_serves_at_capacity_and_queues_the_rest() -> None:
    model = FleetModel(FleetSpec(slots=6, service_mean_s=0.04, service_time=FIXED))
    for at_s in evenly(300, 1200):
        admit(model, at_s)
    stats = model.stats(4.0)
    assert stats.served == pytest.approx(600, abs=6)
    assert stats.peak_queue == pytest.approx(600, abs=8)


@pytest.mark.parametrize("status", [503, 429])
def test_a_full_queue_refuses(status: int) -> None:
    model = FleetModel(FleetSpec(slots=2, queue_limit=3, overload_status=status))
    taken = [model.arrive(0.0) for _ in range(7)]
    refused = [one for one in taken if isinstance(one, Refusal)]
    assert [isinstance(one, Refusal) for one in taken] == [False] * 5 + [True] * 2
    assert {(one.status, one.retry_after_s) for one in refused} == {(status, 1 if status == 429 else None)}
    assert model.stats(0.0).status == {status: 2}


def test_a_queue_limit_of_zero_still_uses_every_slot() -> None:
    model = FleetModel(FleetSpec(slots=2, queue_limit=0))
    assert [isinstance(model.arrive(0.0), Ticket) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("spec", "retry_after_s"),
    [
        (FleetSpec(quota=Quota(150, 1)), 1),
        (FleetSpec(quota=Quota(0.25, 1)), 4),
        (FleetSpec(quota=Quota(0.25, 1), retry_after_s=7), 7),
        (FleetSpec(quota=Quota(150, 1), retry_after_s=5), 5),
    ],
)
def test_over_quota_says_when_to_come_again_in_whole_seconds(spec: FleetSpec, retry_after_s: int) -> None:
    model = FleetModel(spec)
    admit(model, 0.0)
    refusal = model.arrive(0.0)
    assert isinstance(refusal, Refusal)
    assert (refusal.status, refusal.retry_after_s) == (429, retry_after_s)


def test_a_503_says_when_to_come_again_only_if_configured() -> None:
    model = FleetModel(FleetSpec(slots=1, queue_limit=0, retry_after_s=3))
    admit(model, 0.0)
    refusal = model.arrive(0.0)
    assert isinstance(refusal, Refusal)
    assert refusal.retry_after_s == 3


def test_random_errors_have_their_share_never_queue_and_leave_service_times_alone() -> None:
    def run(share: float) -> FleetModel:
        model = FleetModel(FleetSpec(slots=14, service_mean_s=0.04, error_share=share, error_status=502))
        for at_s in evenly(300, 6000):
            taken = model.arrive(at_s)
            if isinstance(taken, Refusal):
                assert (taken.status, taken.delay_s, taken.retry_after_s) == (502, ERROR_DELAY_S, None)
        drain(model)
        return model

    stats = run(0.05).stats(100.0)
    assert stats.status[502] == pytest.approx(300, abs=60)
    assert stats.served == 6000 - stats.refused
    assert run(0.0).stats(100.0).refused == 0


def test_capacity_follows_its_steps_exactly() -> None:
    steps = (Step(5, 150), Step(15, 40))
    model = FleetModel(FleetSpec(slots=1, service_mean_s=0.04, service_time=FIXED, capacity_steps=steps), start_s=100.0)
    for _ in range(5000):
        admit(model, 100.0)
    served = [model.stats(100.0 + at_s).served for at_s in (5, 15, 25)]
    # 25/s for 5 s; 150/s for 10 s; 40/s for 10 s on 2 slots, after the 6 in service have drained.
    assert served[0] == pytest.approx(125, abs=1)
    assert served[1] - served[0] == pytest.approx(1500, abs=6)
    assert served[2] - served[1] == pytest.approx(400, abs=8)


def test_in_an_outage_running_requests_finish_and_the_queue_waits() -> None:
    spec = FleetSpec(slots=2, service_mean_s=1.0, service_time=FIXED, capacity_steps=(Step(0.5, 0), Step(5, 2)))
    model = FleetModel(spec)
    tickets = [admit(model, 0.0) for _ in range(4)]
    assert model.slots(0.0) == 2
    assert model.slots(0.5) == 0
    assert model.advance(4.9) == tickets[:2]
    stats = model.stats(4.9)
    assert (stats.queue, stats.in_service, stats.slots) == (2, 0, 0)
    assert [finish_s(ticket) for ticket in drain(model)] == [6.0, 6.0]


def test_the_service_mean_changes_for_what_starts_then() -> None:
    spec = FleetSpec(slots=1, service_mean_s=1.0, service_time=FIXED, service_steps=(Step(0.5, 3.0),))
    model = FleetModel(spec)
    tickets = [admit(model, 0.0), admit(model, 0.0)]
    drain(model)
    assert [finish_s(ticket) for ticket in tickets] == [1.0, 4.0]


def test_a_slower_service_and_a_new_capacity_at_one_moment_agree() -> None:
    spec = FleetSpec(
        slots=12, service_mean_s=0.04, service_time=FIXED, capacity_steps=(Step(1, 60),), service_steps=(Step(1, 0.2),)
    )
    model = FleetModel(spec)
    assert model.slots(1.0) == 12
    assert finish_s(admit(model, 2.0)) == pytest.approx(2.2)


def test_a_request_without_a_client_still_takes_its_turn() -> None:
    model = FleetModel(FleetSpec(slots=1, service_mean_s=1.0, service_time=FIXED))
    first, second, third = (admit(model, 0.0) for _ in range(3))
    model.abandon(first)
    model.abandon(second)
    drain(model)
    stats = model.stats(3.0)
    assert (stats.abandoned, stats.served) == (2, 3)
    assert finish_s(third) == 3.0


def test_the_busiest_second_slides() -> None:
    model = FleetModel(FleetSpec())
    for at_s in (0.0, 0.6, 0.7, 1.59, 1.6, 3.0):
        model.arrive(at_s)
    stats = model.stats(3.0)
    assert stats.max_arrivals_1s == 3
    assert (stats.first_arrival_s, stats.last_arrival_s) == (0.0, 3.0)


def test_after_a_reset_figures_count_from_zero_and_own_up_to_what_was_carried_over() -> None:
    model = FleetModel(FleetSpec(slots=1, service_mean_s=1.0, service_time=FIXED, queue_limit=5))
    for _ in range(9):
        model.arrive(0.0)
    model.reset_stats(1.5)
    stats = model.stats(1.5)
    assert (stats.arrivals, stats.served, stats.refused, stats.carried, stats.peak_queue) == (0, 0, 0, 5, 4)
    admit(model, 2.5)
    drain(model)
    stats = model.stats(100.0)
    assert stats.arrivals + stats.carried == stats.served == 6
    assert not math.isnan(stats.last_done_s or math.nan)
