"""The jobs that together put most load on the fleet, of all that may run at the same time. Knows terms and order."""

from collections.abc import Callable, Sequence

from burstctl.light import light
from burstctl.lint.aggregate.overlap import Order
from burstctl.lint.aggregate.term import Term, terms
from burstctl.lint.case import Case
from burstctl.units import format_rate

_MOST_STEPS = 20_000
"""More jobs than can be tried within these are summed up without regard to their order: an upper bound."""


@light
class Sum:
    """Terms that may come together."""

    terms: tuple[Term, ...]
    exact: bool
    """False: not all of them may really come together."""

    @property
    def known_per_s(self) -> float:
        """Give what is known of the sum."""
        return sum(term.least_per_s for term in self.terms)

    @property
    def complete(self) -> bool:
        return all(term.total_per_s is not None for term in self.terms)

    @property
    def count(self) -> int:
        """Count the instances that send at the same time, those that share a rate as one."""
        return sum(1 if term.divided else term.instances or 1 for term in self.terms)

    def show(self) -> str:
        """Write the reckoning: `3 × 300/s + 50/s = 950/s`."""
        parts = " + ".join(term.show() for term in self.terms)
        total = format_rate(self.known_per_s)
        return parts if parts == total else f"{parts} = {total}"


def heaviest(case: Case) -> Sum:
    """Find the heaviest sum of a pipeline's terms."""
    found = terms(case)
    order = Order(case.pipeline)
    best, exact = _search(found, lambda one, other: order.may_overlap(one.job, other.job))
    return Sum(tuple(term for term in found if term in best), exact)


def _search(found: Sequence[Term], together: Callable[[Term, Term], bool]) -> tuple[Sequence[Term], bool]:
    """Try sets of terms that may all come together, the heavy ones first."""
    ordered = sorted(found, key=lambda term: -term.least_per_s)
    best: list[Term] = []
    steps = 0
    rest: list[tuple[list[Term], list[Term]]] = [([], ordered)]
    while rest:
        chosen, candidates = rest.pop()
        steps += 1
        if steps > _MOST_STEPS:
            return ordered, False
        if not candidates:
            best = max(best, chosen, key=_weight)
            continue
        if _weight([*chosen, *candidates]) < _weight(best):
            continue
        first, others = candidates[0], candidates[1:]
        rest.append((chosen, others))
        rest.append(([*chosen, first], [other for other in others if together(first, other)]))
    return best, True


def _weight(chosen: Sequence[Term]) -> tuple[float, int]:
    return sum(term.least_per_s for term in chosen), len(chosen)
