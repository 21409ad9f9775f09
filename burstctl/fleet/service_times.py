"""Service times in units of their mean, random but stratified. Knows nothing of slots or queues."""

import math
import random
from statistics import NormalDist

from burstctl.fleet.spec import ServiceTime

_STRATA = 400


class ServiceTimes:
    """Draws from one distribution whose mean is 1.

    Each block of 400 draws is the distribution's 400 quantiles in random order: the mean of a block is exact, so a
    short run is not fast or slow by luck.
    """

    __slots__ = ("_block", "_left", "_rng")

    def __init__(self, shape: ServiceTime, sigma: float, rng: random.Random) -> None:
        self._block = _block(shape, sigma)
        self._left: list[float] = []
        self._rng = rng

    def draw(self) -> float:
        if not self._left:
            self._left = self._block.copy()
            self._rng.shuffle(self._left)
        return self._left.pop()


def _block(shape: ServiceTime, sigma: float) -> list[float]:
    quantiles = [(stratum + 0.5) / _STRATA for stratum in range(_STRATA)]
    match shape:
        case ServiceTime.FIXED:
            return [1.0]
        case ServiceTime.LOGNORMAL:
            normal = NormalDist()
            values = [math.exp(sigma * normal.inv_cdf(quantile)) for quantile in quantiles]
        case ServiceTime.EXPONENTIAL:
            values = [-math.log1p(-quantile) for quantile in quantiles]
    mean = math.fsum(values) / _STRATA
    return [value / mean for value in values]
