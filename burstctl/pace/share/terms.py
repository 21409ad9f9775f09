"""What the jobs have to agree on: how many permits there are, and how often one may be used. Pure arithmetic.

A permit is the right to one send in each period. Whoever holds it, it is used at most once in any period: so the jobs
together keep the ceiling's promise without looking at each other's clocks, also while permits change hands.
"""

import math
from dataclasses import dataclass

US = 1_000_000
_MOST = 512
"""Permits: above that the period is shortened instead, so that no message grows with the ceiling."""
_ROUNDING_US = 2


@dataclass(frozen=True, slots=True)
class Terms:
    """The whole of which each job gets a part; microseconds, as both ways count."""

    permits: int
    period_us: int
    window: int
    """Requests in flight."""

    @property
    def period_s(self) -> float:
        return self.period_us / US


def terms_of(rate_per_s: float, most_in_flight: int) -> Terms:
    """Cut a ceiling into permits; up to a five hundredth of one above 512/s is lost to whole numbers."""
    sends = math.ceil(rate_per_s)
    periods = math.ceil(sends / _MOST)
    # Rounded up, as the ceiling's own period is: a check may add and subtract in another order.
    return Terms(sends // periods, math.ceil(sends / rate_per_s / periods * US) + _ROUNDING_US, most_in_flight)
