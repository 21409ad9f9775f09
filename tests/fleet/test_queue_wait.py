"""Queue waits are summed up closely enough to be quoted."""

import random

import pytest

from burstctl.fleet.queue_wait import QueueWaits


def test_percentiles_are_within_half_a_percent() -> None:
    rng = random.Random(7)
    waits = [rng.expovariate(2.0) for _ in range(5000)]
    counted = QueueWaits()
    for wait in waits:
        counted.add(wait)
    figures = counted.figures()
    assert figures is not None
    waits.sort()
    for share, found in ((0.5, figures.p50), (0.95, figures.p95), (0.99, figures.p99)):
        assert found == pytest.approx(1000 * waits[int(share * 5000) - 1], rel=0.0051)
    assert figures.max == 1000 * waits[-1]


def test_no_wait_is_zero_and_no_sample_is_none() -> None:
    counted = QueueWaits()
    assert counted.figures() is None
    counted.add(0.0)
    figures = counted.figures()
    assert figures is not None
    assert (figures.count, figures.p99, figures.max) == (1, 0.0, 0.0)
