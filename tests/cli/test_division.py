"""Parallel jobs divide one plan: together they are never above its ceiling, and send each request as often as asked."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.cli.division import phase_s, settle_jobs
from burstctl.errors import UsageError
from burstctl.plan import Plan, RateLimit, Request, Retry, Target
from burstctl.summary import Shard


def plan(rate_limit: RateLimit, count: int = 10) -> Plan:
    return Plan(
        target=Target("http://127.0.0.1"),
        rate_limit=rate_limit,
        retry=Retry(frozenset(), frozenset()),
        counts={"a": count, "b": 1},
        requests=lambda: (Request(i, "a" if i < count else "b", "GET", "/") for i in range(count + 1)),
        thresholds=(),
        settings={"rate_limit": {"rate_per_s": rate_limit.rate_per_s, "jobs": 1}},
    )


def parts(jobs: int, *, rate: float = 300.0, split: str = "none", most: int | None = None) -> list[Plan]:
    limits = [RateLimit(rate, most, jobs=jobs, job=job, split=split) for job in range(1, jobs + 1)]
    return [settle_jobs(plan(limit), {}) for limit in limits]


@given(st.integers(1, 20), st.one_of(st.integers(1, 100_000).map(float), st.floats(0.01, 10_000)))
def test_ceilings_and_windows_of_all_jobs_add_up(jobs: int, rate: float) -> None:
    shares = parts(jobs, rate=rate)
    assert math.fsum(share.rate_limit.rate_per_s for share in shares) == pytest.approx(rate, rel=1e-12)
    assert sum(share.rate_limit.most_in_flight for share in shares) == 200


def test_seven_jobs_divide_300_exactly() -> None:
    assert [share.rate_limit.rate_per_s for share in parts(7)] == [43, 43, 43, 43, 43, 43, 42]


@given(st.integers(1, 20))
def test_split_requests_are_sent_once_each_and_others_by_every_job(jobs: int) -> None:
    indices = [[request.index for request in share.requests()] for share in parts(jobs, split="requests")]
    assert sorted(index for one in indices for index in one) == list(range(11))
    assert [[request.index for request in share.requests()] for share in parts(jobs)] == [list(range(11))] * jobs


def test_the_summary_will_tell_which_share_it_was_and_why() -> None:
    environ = {"CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"}
    share = settle_jobs(plan(RateLimit(300.0, split="requests")), environ)
    assert share.shard == Shard(2, 3)
    [note] = share.notes
    assert note.startswith(
        "job 2 of 3 (GitLab's CI_NODE_INDEX and CI_NODE_TOTAL): 100/s of 300/s, 4 of 11 requests; jobs: 1"
    )
    assert share.settings["rate_limit"] == {"rate_per_s": 300.0, "jobs": 3}


def test_a_window_smaller_than_the_jobs_is_refused() -> None:
    with pytest.raises(UsageError, match="max_in_flight 2 can't be divided between 3 jobs"):
        parts(3, most=2)


@given(st.integers(2, 12), st.floats(0.5, 1000), st.lists(st.floats(1e9, 2e9), min_size=12, max_size=12))
def test_sends_of_equal_jobs_fall_between_each_other_whenever_they_start(
    jobs: int, rate: float, walls: list[float]
) -> None:
    own = rate / jobs
    starts = [wall + phase_s(Shard(job, jobs), own, wall) for job, wall in zip(range(1, jobs + 1), walls, strict=False)]
    assert all(0 <= start - wall < 1 / own for start, wall in zip(starts, walls, strict=False))
    for place, start in enumerate(starts):
        phase = (start * own - place / jobs + 0.5) % 1
        assert phase == pytest.approx(0.5, abs=2e-3)  # doubles around 2e9 know half a microsecond
