"""A dry-run's sample: the first of each name, slow, one attempt each, gated by shares alone."""

from collections.abc import Iterator

from burstctl.cli.trial.sample import make_trial, take_sample
from burstctl.plan import Plan, RateLimit, Request, Retry, Target
from burstctl.threshold import parse_threshold


def plan(*thresholds: str, limit: RateLimit | None = None) -> Plan:
    made: list[int] = []

    def requests() -> Iterator[Request]:
        for index in range(1_000_000):
            made.append(index)
            assert len(made) < 1000
            yield Request(index, "a" if index < 20 else "b", "GET", "/")

    return Plan(
        Target("http://127.0.0.1:9"),
        limit or RateLimit(300, 200),
        Retry(frozenset({503}), frozenset(), 10),
        {"a": 20, "b": 999_980, "none": 0},
        requests,
        tuple(map(parse_threshold, thresholds)),
        deadline_s=0.1,
    )


def test_it_takes_the_first_of_each_name_and_reads_no_further() -> None:
    assert [(one.name, one.index) for one in take_sample(plan(), 2)] == [("a", 0), ("a", 1), ("b", 20), ("b", 21)]
    assert len(take_sample(plan(), 30)) == 50


def test_it_is_sent_slowly_and_once() -> None:
    whole = plan()
    trial = make_trial(whole, take_sample(whole, 2))
    limit = trial.rate_limit
    assert (limit.rate_per_s, limit.max_in_flight, limit.controller, limit.workers) == (5, 5, "fixed", 1)
    assert (trial.retry.max_attempts, trial.deadline_s) == (1, None)
    assert trial.counts == {"a": 2, "b": 2, "none": 0}
    assert len(list(trial.requests())) == len(list(trial.requests())) == 4


def test_a_pace_that_is_slower_still_is_kept() -> None:
    limit = make_trial(plan(limit=RateLimit(0.5, 2, workers=3)), []).rate_limit
    assert (limit.rate_per_s, limit.max_in_flight) == (0.5, 2)


def test_times_and_rates_gate_nothing() -> None:
    whole = plan("failed <= 0%", "status.429 <= 0%", "a: failed <= 0%", "p95 < 1ms", "rate > 100/s", "duration < 1s")
    assert [one.label for one in make_trial(whole, []).thresholds] == [
        "failed <= 0%",
        "status.429 <= 0%",
        "a: failed <= 0%",
    ]
