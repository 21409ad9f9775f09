"""Percentiles: exact for as long as promised, then within their stated error, in bounded memory."""

import math
import random
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.record.distribution import EXACT, RELATIVE_ERROR, Distribution

SHARES = {"p50": 0.5, "p75": 0.75, "p90": 0.9, "p95": 0.95, "p99": 0.99, "p999": 0.999}


def filled(values: list[float]) -> Distribution:
    distribution = Distribution()
    for value in values:
        distribution.add(value)
    return distribution


@given(st.lists(st.floats(0, 1e7), min_size=1, max_size=300))
def test_percentiles_are_values_that_were_seen_by_nearest_rank(values: list[float]) -> None:
    spread, ordered = filled(values).spread(), sorted(values)
    for name, share in SHARES.items():
        assert getattr(spread, name) == ordered[math.ceil(share * len(values)) - 1]
    assert (spread.count, spread.min, spread.max) == (len(values), ordered[0], ordered[-1])
    assert spread.mean == pytest.approx(sum(values) / len(values))
    assert spread.relative_error == 0


def test_beyond_the_exact_samples_percentiles_keep_their_stated_error() -> None:
    rng = random.Random(7)
    values = [rng.lognormvariate(3, 1.5) for _ in range(EXACT + 50_000)]
    spread, ordered = filled(values).spread(), sorted(values)
    assert spread.relative_error == RELATIVE_ERROR <= 0.001
    for name, share in SHARES.items():
        assert getattr(spread, name) == pytest.approx(ordered[math.ceil(share * len(values)) - 1], rel=RELATIVE_ERROR)
    assert (spread.count, spread.min, spread.max) == (len(values), ordered[0], ordered[-1])


def test_memory_does_not_grow_with_the_samples() -> None:
    rng, distribution = random.Random(7), Distribution()
    for _ in range(EXACT + 1):
        distribution.add(rng.uniform(1, 1000))
    tracemalloc.start()
    for _ in range(200_000):
        distribution.add(rng.uniform(1, 1000))
    grown, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert grown < 1_000_000


@given(st.lists(st.lists(st.floats(0, 1e5), max_size=50), max_size=5))
def test_a_merge_is_the_same_as_one_recording(parts: list[list[float]]) -> None:
    merged = Distribution()
    for part in parts:
        merged.merge(filled(part))
    whole = filled([value for part in parts for value in part]).spread()
    assert merged.spread().count == whole.count
    assert merged.spread().p95 == whole.p95


def test_a_merge_beyond_the_exact_samples_loses_none() -> None:
    merged = filled([1.0] * 60_000)
    merged.merge(filled([100.0] * 60_000))
    spread = merged.spread()
    assert (spread.count, spread.min, spread.max) == (120_000, 1.0, 100.0)
    assert spread.p50 == pytest.approx(1.0, rel=RELATIVE_ERROR)
    assert spread.p95 == pytest.approx(100.0, rel=RELATIVE_ERROR)


def test_without_samples_there_are_no_figures() -> None:
    spread = Distribution().spread()
    assert (spread.count, spread.p50, spread.mean, spread.max) == (0, None, None, None)


@given(st.lists(st.floats(0, 3.6e6), max_size=300))
def test_the_histogram_holds_every_sample_within_its_stated_error(values: list[float]) -> None:
    histogram = filled(values).spread().histogram
    assert [at_ns for at_ns, _ in histogram] == sorted(at_ns for at_ns, _ in histogram)
    seen = [at_ns for at_ns, times in histogram for _ in range(times)]
    assert len(seen) == len(values)
    for at_ns, value_ms in zip(seen, sorted(values), strict=True):
        assert at_ns == pytest.approx(value_ms * 1e6, rel=RELATIVE_ERROR, abs=1.0)


def test_the_histogram_of_many_samples_holds_them_all() -> None:
    rng, distribution = random.Random(7), Distribution()
    for _ in range(EXACT + 500):
        distribution.add(rng.lognormvariate(3, 1.5))
    histogram = distribution.spread().histogram
    assert sum(times for _, times in histogram) == EXACT + 500
    assert len(histogram) < 20_000
