"""A threshold: a metric, an operator, a limit. Reads one and observes its metric in a summary; gives no verdict."""

import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from burstctl import metric as metrics
from burstctl.metric import Observation, observe_metric
from burstctl.summary import Summary

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}

_EXPRESSION = re.compile(r"\s*(?P<metric>[a-z_][\w.]*)\s*(?P<operator><=|>=|==|<|>|=|!=)\s*(?P<limit>\S(?:.*\S)?)\s*")


@dataclass(frozen=True, slots=True)
class Threshold:
    """One condition; `limit` in ms, a share (0 to 1), requests/s, s, or a plain number."""

    expression: str
    metric: str
    operator: str
    limit: float
    scope: str | None = None
    """The request name that it is about; None: the whole run."""

    @property
    def label(self) -> str:
        """The expression with the request name that it is about, as one may write it."""
        return self.expression if self.scope is None else f"{self.scope}: {self.expression}"

    @property
    def is_share(self) -> bool:
        """Whether values are parts of a count, from 0 to 1."""
        return metrics.is_share(self.metric)

    @property
    def unit(self) -> str:
        """The unit of `limit` and of what is observed: ms, s, share, requests/s; empty for a plain number."""
        return metrics.unit_of(self.metric)

    @property
    def samples_needed(self) -> int:
        """How many samples its metric takes at the least."""
        return metrics.samples_needed(self.metric)

    @property
    def distribution(self) -> str | None:
        """The distribution of times that the metric belongs to (`latency`, `wait`…); None for any other metric."""
        return metrics.distribution_of(self.metric)

    @property
    def probe(self) -> str | None:
        """The name of the probe that the metric is a figure of; None for a metric of the load."""
        return metrics.probe_of(self.metric)

    def holds(self, observed: float) -> bool:
        return OPERATORS[self.operator](observed, self.limit)

    def show(self, observed: float) -> str:
        """Write an observed value with its unit, never rounded onto the limit that it misses."""
        text = metrics.show(self.metric, observed)
        if observed != self.limit and text == metrics.show(self.metric, self.limit):
            return metrics.show_exactly(self.metric, observed)
        return text


def parse_threshold(text: str, scope: str | None = None) -> Threshold:
    """Read `METRIC OPERATOR LIMIT`, or `NAME: METRIC OPERATOR LIMIT`; a `ValueError` says what was expected."""
    expression = text.strip()
    if scope is None and ":" in expression:
        scope, _, expression = (part.strip() for part in expression.rpartition(":"))
        scope = scope or None
    match = _EXPRESSION.fullmatch(expression)
    if match is None:
        raise ValueError("expected METRIC OPERATOR LIMIT, such as p95 < 200ms")
    metric, sign, limit = match["metric"], match["operator"], match["limit"]
    if sign not in OPERATORS:
        raise ValueError(f"unknown operator {sign}: expected one of < <= > >= ==")
    parse_limit = metrics.limit_parser(metric, scope)
    return Threshold(f"{metric} {sign} {limit}", metric, sign, parse_limit(limit), scope)


def observe(threshold: Threshold, summary: Summary) -> Observation:
    """Look the threshold's metric up in the run, or in its request name."""
    seen = observe_metric(threshold.metric, threshold.scope, summary)
    if seen.at_least and seen.value is not None and threshold.holds(seen.value) != threshold.holds(math.inf):
        return replace(seen, value=None, samples=0)  # the end, which nobody saw, would decide
    return seen
