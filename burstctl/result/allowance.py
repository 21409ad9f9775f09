"""How much worse a metric may get: read from `p95=10%`. Knows no results."""

import re
from dataclasses import dataclass

from burstctl import metric as metrics

_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


@dataclass(frozen=True, slots=True)
class Allowance:
    """Relative to the base; of a metric that is a share itself, in points of it."""

    metric: str
    scope: str | None
    share: float
    text: str
    """As it was written: `10%`."""

    def is_exceeded(self, base: float, new: float) -> bool:
        """Tell whether a value got worse by more than is allowed; more is worse, but for rates."""
        if metrics.is_share(self.metric):
            return new - base > self.share + 1e-12
        if self.metric == "rate":
            return new < base * (1 - self.share)
        return new > base * (1 + self.share)


def parse_allowance(text: str) -> Allowance:
    """Read `METRIC=SHARE`, or `NAME: METRIC=SHARE`; a `ValueError` says what was expected."""
    left, equals, limit = text.partition("=")
    scope, colon, metric = left.rpartition(":")
    match = _SHARE.fullmatch(limit.strip())
    if not equals or match is None:
        raise ValueError("expected METRIC=SHARE, such as p95=10%")
    name = scope.strip() if colon else None
    metrics.limit_parser(metric.strip(), name)  # knows which metrics there are
    return Allowance(metric.strip(), name, float(match[1]) / 100, limit.strip())
