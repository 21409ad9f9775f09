"""Which part of a whole is ours where several send at once: exact arithmetic. Knows neither processes nor jobs."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """One of `count` nearly equal parts; together they are the whole, no more and no less."""

    index: int = 0
    """From 0."""
    count: int = 1

    def of(self, whole: int) -> int:
        """Divide a whole number; the first parts are larger by one where it can't be divided evenly."""
        return whole // self.count + (self.index < whole % self.count)

    def of_rate(self, rate_per_s: float) -> float:
        """Divide a ceiling so that its promise holds for the sum: at most k = ceil(rate) sends in any k / rate seconds.

        Each part gets a whole number of these k sends and the same period for them. A ceiling with fewer sends than
        there are parts keeps its promise over `count` / rate seconds.
        """
        slots = max(math.ceil(rate_per_s), self.count)
        return self.of(slots) * rate_per_s / slots


WHOLE = Share()
"""All of it."""
