"""Service times have the mean and the spread that was asked for, in short runs too."""

import math
import random
from statistics import fmean, pstdev

import pytest

from burstctl.fleet.service_times import ServiceTimes
from burstctl.fleet.spec import ServiceTime


@pytest.mark.parametrize("shape", ServiceTime)
def test_every_block_of_400_has_the_exact_mean(shape: ServiceTime) -> None:
    times = ServiceTimes(shape, 0.5, random.Random(1))
    for _ in range(3):
        assert fmean(times.draw() for _ in range(400)) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "deviation"),
    [
        (ServiceTime.FIXED, 0.0),
        (ServiceTime.LOGNORMAL, math.sqrt(math.exp(0.25) - 1)),
        (ServiceTime.EXPONENTIAL, 1.0),
    ],
)
def test_the_spread_is_the_distributions(shape: ServiceTime, deviation: float) -> None:
    times = ServiceTimes(shape, 0.5, random.Random(1))
    assert pstdev(times.draw() for _ in range(4000)) == pytest.approx(deviation, rel=0.02)


def test_the_seed_decides_the_order() -> None:
    def draw(seed: int) -> list[float]:
        times = ServiceTimes(ServiceTime.LOGNORMAL, 0.5, random.Random(seed))
        return [times.draw() for _ in range(50)]

    assert draw(1) == draw(1) != draw(2)
