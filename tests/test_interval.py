"""The confidence interval: it encloses the true percentile as often as it says, and is silent on too few samples."""

import random

import pytest

from burstctl.interval import interval


@pytest.mark.parametrize(("share", "count"), [(0.5, 30), (0.9, 60), (0.95, 200), (0.99, 1000), (0.95, 5000)])
def test_encloses_the_true_percentile_as_often_as_it_says(share: float, count: int) -> None:
    rng = random.Random(5)
    truth = share * 1e9  # of evenly spread values up to 1e9
    hits, trials = 0, 400
    for _ in range(trials):
        found = interval(sorted((rng.randrange(10**9), 1) for _ in range(count)), share)
        assert found is not None
        hits += found[0] <= truth <= found[1]
    assert hits / trials >= 0.92


def test_too_few_samples_enclose_nothing() -> None:
    assert interval([(at, 1) for at in range(50)], 0.99) is None
    assert interval([], 0.5) is None
    assert interval([(7, 1)], 0.5) is None


def test_equal_samples_are_one_value() -> None:
    assert interval([(7, 100_000)], 0.99) == (7.0, 7.0)


def test_narrows_as_samples_grow() -> None:
    widths = []
    for count in (200, 2000, 20_000):
        found = interval([(at * 1_000_000 // count, 1) for at in range(count)], 0.95)
        assert found is not None
        widths.append(found[1] - found[0])
    assert widths == sorted(widths, reverse=True)
