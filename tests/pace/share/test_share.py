"""Jobs on one ceiling in virtual time: never more together than it allows, fair, quick to change, hard to stop."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.learnt import Cut, Learnt
from burstctl.pace.share.split import Share
from burstctl.pace.share.terms import terms_of

from ...conftest import Virtual, run_virtual
from .conftest import Job, Server, jain, most_in

RATE = 300.0


def now_s() -> float:
    return asyncio.get_running_loop().time()


async def play(jobs: list[Awaitable[None]], *events: tuple[float, Callable[[], object]]) -> None:
    """Run jobs; at each moment something happens."""

    async def happen(at_s: float, event: Callable[[], object]) -> None:
        await asyncio.sleep(at_s)
        event()

    await asyncio.gather(*jobs, *(happen(*event) for event in events))


def together(jobs: list[Job], rate_per_s: float = RATE) -> int:
    terms = terms_of(rate_per_s, 200)
    sends = [stamp for job in jobs for stamp in job.stamps]
    most = most_in(sends, terms.period_s - 1e-6)
    assert most <= terms.permits
    return len(sends)


@pytest.mark.parametrize(("count", "rate_per_s"), [(3, 300.0), (20, 300.0), (7, 300.0), (3, 3000.0)])
def test_jobs_get_equal_parts_and_lose_nothing(virtual: Virtual, count: int, rate_per_s: float) -> None:
    async def main() -> None:
        server = Server(terms_of(rate_per_s, 200))
        start_s = now_s()
        jobs = [Job(f"job{i}", server, rate_per_s) for i in range(count)]
        await play([job.run(0.001 * i, 6.0) for i, job in enumerate(jobs)])
        sends = together(jobs, rate_per_s)
        assert sends >= 0.97 * 6 * rate_per_s
        assert jain([job.sent_between(start_s + 1, start_s + 6) for job in jobs]) >= 0.98
        assert server.turns <= 25 / 4 * 6 * count + 12 * count  # each turn is four commands to Redis

    virtual(main)


def test_a_late_joiner_has_its_part_within_a_second_and_gives_it_back_when_it_goes(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        start_s = now_s()
        first, late = Job("first", server, RATE), Job("late", server, RATE)
        await play([first.run(0, 6), late.run(2, 4)])
        together([first, late])
        assert first.sent_between(start_s + 1, start_s + 2) == 300
        assert late.sent_between(start_s + 2, start_s + 3) >= 100
        assert late.sent_between(start_s + 3, start_s + 4) >= 147
        assert first.sent_between(start_s + 5, start_s + 6) >= 295

    virtual(main)


def test_the_others_use_what_an_idle_or_dead_job_does_not(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        start_s = now_s()
        jobs = [Job(name, server, RATE) for name in ("busy", "dead", "idle")]
        busy, _, idle = jobs
        await play(
            [busy.run(0, 8), jobs[1].run(0, 1, dies=True), idle.run(0, 8)],
            (4.0, lambda: setattr(idle, "idle", True)),
        )
        together(jobs)
        # Two seconds after the death two have it all, and two seconds after the other ran out of requests one has.
        assert busy.sent_between(start_s + 3, start_s + 4) >= 147
        assert busy.sent_between(start_s + 6, start_s + 7) >= 285

    virtual(main)


def test_a_job_that_a_small_fleet_holds_back_keeps_what_it_uses(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        start_s = now_s()
        job = Job("a", server, RATE)
        job.lag_s = 1 / 150
        await play([job.run(0, 6)])
        assert job.sent_between(start_s + 1, start_s + 6) >= 0.97 * 5 * 150

    virtual(main)


def test_an_idle_job_that_has_work_again_is_back_within_a_second(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        start_s = now_s()
        jobs = [Job("a", server, RATE), Job("b", server, RATE)]
        jobs[1].idle = True
        await play([job.run(0, 7) for job in jobs], (4.0, lambda: setattr(jobs[1], "idle", False)))
        together(jobs)
        assert jobs[0].sent_between(start_s + 3, start_s + 4) >= 285
        assert jobs[1].sent_between(start_s + 5, start_s + 6) >= 140

    virtual(main)


@pytest.mark.parametrize("fault", ["refuses", "hangs"])
@pytest.mark.parametrize("data_loss", [False, True])
def test_a_lost_share_is_bridged_by_static_parts_and_taken_up_again(
    virtual: Virtual, fault: str, *, data_loss: bool
) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        start_s = now_s()
        jobs = [Job(f"job{i}", server, RATE) for i in range(3)]

        def back() -> None:
            server.fault = ""
            if data_loss:
                server.book = None

        await play(
            [job.run(0.01 * i, 12) for i, job in enumerate(jobs)],
            (2.0, lambda: setattr(server, "fault", fault)),
            (7.0, back),
            (9.5, lambda: setattr(jobs[0], "idle", True)),
        )
        together(jobs)
        for job in jobs:
            assert job.sent_between(start_s + 4, start_s + 7) == pytest.approx(300, abs=6)
            [loss] = job.keeper.losses
            assert (loss.part.count, loss.to_s is not None) == (3, True)
            assert loss.to_s is not None
            assert loss.to_s <= start_s + 8.5
        assert jobs[1].sent_between(start_s + 11, start_s + 12) >= 140

    virtual(main)


def test_without_a_ledger_from_the_start_each_keeps_to_its_static_part(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200), fault="refuses")
        jobs = [Job(f"job{i}", server, RATE, place=Share(i, 3)) for i in range(3)]
        await play([job.run(0, 4) for job in jobs])
        together(jobs)
        assert [len(job.stamps) for job in jobs] == pytest.approx([400] * 3, abs=4)

    virtual(main)


def test_fewer_permits_than_jobs_still_stop_nobody(virtual: Virtual) -> None:
    async def main(fault: str) -> None:
        server = Server(terms_of(2.0, 200), fault=fault)
        jobs = [Job(f"job{i}", server, 2.0, place=Share(i, 5)) for i in range(5)]
        await play([job.run(0.01 * i, 40) for i, job in enumerate(jobs)])
        sends = [len(job.stamps) for job in jobs]
        assert min(sends) >= 10
        assert sum(sends) <= 2 * 40 + 5

    virtual(lambda: main(""))
    virtual(lambda: main("refuses"))


def test_a_slow_network_makes_changes_slow_and_nothing_else(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200), delay_s=0.4)
        start_s = now_s()
        jobs = [Job(f"job{i}", server, RATE) for i in range(3)]
        await play([job.run(0.1 * i, 8) for i, job in enumerate(jobs)])
        together(jobs)
        assert sum(job.sent_between(start_s + 3, start_s + 8) for job in jobs) >= 0.9 * 5 * RATE
        assert not any(job.keeper.losses for job in jobs)

    virtual(main)


def test_a_stalled_job_sends_nothing_on_a_lease_that_is_over(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        job = Job("a", server, RATE)
        await job.keeper.join()
        assert job.permits.has_capacity()
        loop = asyncio.get_running_loop()
        loop.stall(2.0)  # type: ignore[attr-defined]  # a virtual loop's
        assert not job.permits.has_capacity()

    virtual(main)


def test_a_refusal_and_a_pause_are_heard_by_the_others_at_once_and_once(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        jobs = [Job("a", server, RATE), Job("b", server, RATE)]
        told = Learnt(0.04, 1.5, Cut(150.0, 4.0))
        await play([job.run(0, 4) for job in jobs], (2.0, lambda: jobs[0].steering.told.append(told)))
        heard = jobs[1].steering.heard
        [cut] = [learnt.cut for learnt in heard if learnt.cut is not None]
        assert cut.rate_per_s == 150.0
        assert 3.7 <= cut.hold_s <= 4.0
        assert 1.2 <= max(learnt.pause_s for learnt in heard) <= 1.5
        assert {learnt.base_latency_s for learnt in heard[-3:]} == {0.04}
        assert not any(learnt.cut for learnt in jobs[0].steering.heard)

    virtual(main)


def test_windows_together_stay_within_the_whole(virtual: Virtual) -> None:
    async def main() -> None:
        server = Server(terms_of(RATE, 200))
        jobs = [Job(f"job{i}", server, RATE) for i in range(3)]
        for job in jobs:
            job.steering.window = 150.0
        sums: list[int] = []
        moments = [(2.0 + 0.1 * i, lambda: sums.append(sum(job.member.window for job in jobs))) for i in range(10)]
        await play([job.run(0, 4) for job in jobs], *moments)
        assert max(sums) <= 200
        assert sums[-1] == 200

    virtual(main)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rate_per_s=st.sampled_from([3.0, 40.0, 150.5]),
    spans=st.lists(
        st.tuples(st.floats(0, 3), st.floats(0.3, 4), st.booleans(), st.floats(0, 0.02)), min_size=1, max_size=5
    ),
    delay_s=st.floats(0.0001, 0.3),
)
def test_no_coming_and_going_ever_exceeds_the_ceiling(
    rate_per_s: float, spans: list[tuple[float, float, bool, float]], delay_s: float
) -> None:
    async def main() -> None:
        server = Server(terms_of(rate_per_s, 50), delay_s=delay_s)
        jobs = [Job(f"job{i}", server, rate_per_s) for i in range(len(spans))]
        for job, (*_, lag_s) in zip(jobs, spans, strict=True):
            job.lag_s = lag_s
        await play(
            [
                job.run(start_s, start_s + length_s, dies=dies)
                for job, (start_s, length_s, dies, _) in zip(jobs, spans, strict=True)
            ]
        )
        together(jobs, rate_per_s)

    run_virtual(main)
