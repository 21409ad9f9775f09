"""The statistics of CloudWatch as a manifest writes them: plain words, percentiles, trimmed ones. Asks nobody.

Source: CloudWatch user guide, "CloudWatch statistics definitions".
"""

import re

from burstctl.manifest import leaf, shape
from burstctl.manifest.problem import RejectedError
from burstctl.manifest.suggest import suggest_name

STATISTICS = ("Average", "Maximum", "Minimum", "Sum", "SampleCount", "IQM")
_SHARE = r"(?:100|\d{1,2}(?:\.\d{1,10})?)"
_RANK = re.compile(rf"(?:p|tm|tc|ts|wm){_SHARE}", re.ASCII)
"""What lies under a percentile, or the percentile itself: `p99.9`, `tm95`."""
_BETWEEN = re.compile(
    rf"(?:TM|TC|TS|WM)\((?P<from_share>{_SHARE}%)?:(?P<to_share>{_SHARE}%)?\)"
    r"|(?:TM|TC|TS|WM|PR)\((?P<least>\d+(?:\.\d+)?)?:(?P<most>\d+(?:\.\d+)?)?\)",
    re.ASCII,
)
"""What lies between two percentiles or two values: `TM(10%:90%)`, `PR(:300)`."""
SHAPE = shape.either(
    shape.choice(STATISTICS), {"type": "string", "pattern": r"^([A-Za-z]{1,2}\d[\d.]*|[A-Za-z]{2}\([\d.%]*:[\d.%]*\))$"}
)


def read_statistic(value: object) -> str:
    """Read a statistic, in whatever case, as CloudWatch writes it."""
    found = leaf.settle(value)
    text = found.strip() if isinstance(found, str) else str(found)
    by_fold = {word.lower(): word for word in STATISTICS}
    known = by_fold.get(text.lower())
    if known is not None:
        return known
    if _RANK.fullmatch(text.lower()):
        return text.lower()
    between = _BETWEEN.fullmatch(text.upper())
    if between is not None and _is_range(
        between["from_share"] or between["least"], between["to_share"] or between["most"]
    ):
        return text.upper()
    words = ", ".join(STATISTICS[:-1])
    raise RejectedError(
        f"expected {words}, a percentile such as p95, or a trimmed statistic such as tm99 or TM(10%:90%)",
        suggest_name(text, STATISTICS) if len(text) > 3 else "such as p95",
    )


def _is_range(least: str | None, most: str | None) -> bool:
    """Tell whether at least one end is given, and the ends stand in order."""
    if least is None or most is None:
        return least is not most
    return float(least.rstrip("%")) < float(most.rstrip("%"))
