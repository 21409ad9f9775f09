"""Rounds in which every contender has its turn, in another order each time, and the medians over them."""

import random
import statistics
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Contender = TypeVar("Contender", bound=Hashable)
Figure = TypeVar("Figure")


def play_rounds(
    contenders: Sequence[Contender], rounds: int, measure: Callable[[Contender], Figure]
) -> dict[Contender, list[Figure]]:
    """Measure each contender once a round: what disturbs the machine for a while disturbs all of them."""
    rng = random.Random(0)
    figures: dict[Contender, list[Figure]] = {contender: [] for contender in contenders}
    for _ in range(rounds):
        for contender in rng.sample(contenders, len(contenders)):
            figures[contender].append(measure(contender))
    return figures


def median_of(figures: Sequence[Figure], read: Callable[[Figure], float]) -> float:
    """Give the median of one of the figures."""
    return statistics.median(map(read, figures))
