"""Results of parallel jobs joined: exact counts, honest percentiles, and no result that does not belong."""

import math
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.errors import UsageError
from burstctl.gate import Result, judge
from burstctl.record.distribution import Distribution
from burstctl.result.distribution import RELATIVE_ERROR, join_spreads
from burstctl.result.merge import merge
from burstctl.result.read import Saved
from burstctl.summary import Ending, ProbeFigures, SeriesFigures, Spread
from burstctl.threshold import parse_threshold

Make = Callable[..., Saved]


def spread(values_ms: Sequence[float]) -> Spread:
    distribution = Distribution()
    for value in values_ms:
        distribution.add(value)
    return distribution.spread()


DEFAULTS = [parse_threshold("failed <= 0%"), parse_threshold("p95 < 200ms")]


def shards(make: Make, *indices: int, total: int = 3, **more: object) -> list[Saved]:
    return [make(file=f"{index}.json", index=index, total=total, at_s=index - 1, **more) for index in indices]


def test_counts_add_up_and_the_verdict_is_one(make: Make) -> None:
    joined = merge([*shards(make, 1, 3), make(file="2.json", index=2, total=3, failed=4)])
    total = joined.total
    assert (total.planned, total.succeeded, total.failed, total.attempts) == (1204, 1200, 4, 1204)
    assert total.status == {200: 1200, 500: 4}
    assert joined.requests["predict"].planned == 1204
    assert joined.missing == ()
    verdict = judge(joined, DEFAULTS)
    assert (verdict.result, verdict.exit_code) == (Result.FAIL, 1)


def test_times_are_those_of_the_whole(make: Make) -> None:
    joined = merge(shards(make, 3, 1, 2))  # each began a second after the one before
    assert joined.started_at == "2025-01-31T03:00:00.000+00:00"
    assert joined.duration_s == pytest.approx(6.0)
    assert joined.rate.ceiling == pytest.approx(300.0)
    assert joined.rate.first_s == pytest.approx(0.001)
    assert joined.rate.last_s == pytest.approx(5.991)
    assert joined.rate.achieved == pytest.approx(1199 / 5.99)
    assert joined.rate.max_1s == 300
    assert [second.sent for second in joined.timeline] == [10, 20, 30, 30, 20, 10]
    assert joined.timeline[2].p95_ms == 23.0
    assert "joined of 3 results" in joined.notes[0]


@given(st.lists(st.lists(st.floats(0.01, 1e5), max_size=60), min_size=1, max_size=5))
@settings(max_examples=60)
def test_joined_percentiles_keep_their_stated_error(parts: list[list[float]]) -> None:
    joined = join_spreads([spread(part) for part in parts])
    ordered = sorted(value for part in parts for value in part)
    assert joined.count == len(ordered)
    if ordered:
        assert (joined.min, joined.max) == (ordered[0], ordered[-1])
        assert joined.mean == pytest.approx(math.fsum(ordered) / len(ordered))
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p999", 0.999)):
            truth = ordered[math.ceil(share * len(ordered)) - 1]
            assert getattr(joined, name) == pytest.approx(truth, rel=RELATIVE_ERROR)


def test_a_missing_job_is_named_and_leaves_the_run_undecided(make: Make) -> None:
    joined = merge(shards(make, 1, 3, total=4))
    verdict = judge(joined, DEFAULTS)
    assert verdict.result is Result.INCONCLUSIVE
    assert verdict.reasons == ("incomplete: the result of jobs 2, 4 of 4 is missing",)


def test_merging_a_merge_changes_nothing(make: Make) -> None:
    first = merge(shards(make, 1, 2, 3))
    saved = make(change={"total": first.total, "requests": first.requests})
    again = merge([saved])
    assert again.total == saved.summary.total


def test_jobs_without_numbers_can_be_joined(make: Make) -> None:
    joined = merge([make(file="a.json"), make(file="b.json", at_s=10)])
    assert joined.total.planned == 800
    assert joined.missing == ()
    assert joined.rate.max_1s == 100  # they did not run at the same time


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"settings": {"rate_limit": {"rate_per_s": 100.0}}}, "they differ in rate_limit.rate_per_s"),
        ({"requests": {}}, "they differ in the names of their requests"),
    ],
)
def test_results_of_another_plan_are_refused(make: Make, change: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=r"a\.json and b\.json are not of one plan") as caught:
        merge([make(), make(file="b.json", change=change)])
    assert said in caught.value.message


def test_the_same_job_twice_is_refused(make: Make) -> None:
    with pytest.raises(UsageError, match=r"1\.json and retry\.json are both of job 1 of 3"):
        merge([*shards(make, 1, 2), make(file="retry.json", index=1, total=3)])


def test_jobs_of_different_numbers_are_refused(make: Make) -> None:
    with pytest.raises(UsageError, match="the number of jobs"):
        merge([*shards(make, 1), *shards(make, 2, total=2)])


@pytest.mark.parametrize(
    ("endings", "result"),
    [
        ((Ending.COMPLETE, Ending.TERMINATED), Result.INTERRUPTED),
        ((Ending.DEADLINE, Ending.COMPLETE), Result.FAIL),
        ((Ending.UNAVAILABLE, Ending.COMPLETE), Result.FAIL),
        ((Ending.UNAVAILABLE, Ending.UNAVAILABLE), Result.UNAVAILABLE),
        ((Ending.INTERNAL, Ending.ABORTED), Result.INTERNAL),
    ],
)
def test_how_a_job_ended_is_how_the_whole_did(make: Make, endings: tuple[Ending, Ending], result: Result) -> None:
    results = [
        make(file=f"{index}.json", index=index, total=2, change={"ending": ending, "ending_reason": "why"})
        for index, ending in enumerate(endings, 1)
    ]
    joined = merge(results)
    assert judge(joined, []).result is result
    if result is not Result.UNAVAILABLE:
        assert joined.ending_reason.startswith("job ")


def test_what_the_fleet_told_several_jobs_is_one_signal(make: Make) -> None:
    def probe(most: float, mean: float, readings: int) -> dict[str, object]:
        series = SeriesFigures(0.0, mean, most, 1.0)
        return {"probes": {"queue": ProbeFigures("json", 0.0, series, 2.0, 2.0, readings, points=((0.5, most),))}}

    joined = merge(
        [
            make(index=1, total=2, change=probe(40.0, 10.0, 10)),
            make(index=2, total=2, at_s=2, change=probe(90.0, 40.0, 20)),
        ]
    )
    queue = joined.probes["queue"]
    assert (queue.main.max, queue.main.mean, queue.readings) == (90.0, 30.0, 30)
    assert queue.points == ((0.5, 40.0), (2.5, 90.0))


def test_joining_is_indifferent_to_the_order(make: Make) -> None:
    results = shards(make, 1, 2, 3)
    random.Random(1).shuffle(results)
    assert merge(results) == merge(shards(make, 1, 2, 3))
