"""A threshold: a metric, an operator, a limit. Reads one and observes its metric in a summary; gives no verdict."""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from burstctl.interval import interval
from burstctl.summary import Figures, Spread, Summary
from burstctl.units import format_duration, format_ms, format_rate, format_share, parse_duration, parse_rate

OPERATORS: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}

# Fewer samples than this can't tell a percentile apart from the maximum, or from luck.
_SAMPLES = {"p50": 1, "p75": 1, "p90": 10, "p95": 20, "p99": 100, "p99.9": 1000, "mean": 1, "max": 1}
_DISTRIBUTIONS = ("latency", "response", "wait", "ttfb")
_SHARES = ("failed", "unsent", "fault")
_RUN_ONLY = ("rate", "duration")
_STATUS = re.compile(r"status\.([1-5]xx|[1-5]\d\d)")

METRICS = (
    *_SHARES,
    "status.429",
    "attempts_per_request",
    *_RUN_ONLY,
    *_SAMPLES,
    *(f"{distribution}.p95" for distribution in _DISTRIBUTIONS[1:]),
)
"""Examples of every family, for messages; `response.`, `wait.` and `ttfb.` take each of p50 to max."""

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
        return _is_share(self.metric)

    @property
    def unit(self) -> str:
        """The unit of `limit` and of what is observed: ms, s, share, requests/s; empty for a plain number."""
        if self.is_share:
            return "share"
        return {"rate": "requests/s", "duration": "s", "attempts_per_request": ""}.get(self.metric, "ms")

    @property
    def samples_needed(self) -> int:
        """How many samples its metric takes at the least."""
        return _SAMPLES.get(_split(self.metric)[1], 1)

    @property
    def distribution(self) -> str | None:
        """The distribution of times that the metric belongs to (`latency`, `wait`…); None for any other metric."""
        distribution, figure = _split(self.metric)
        return distribution if figure in _SAMPLES else None

    def holds(self, observed: float) -> bool:
        return OPERATORS[self.operator](observed, self.limit)

    def show(self, observed: float) -> str:
        """Write an observed value with its unit, never rounded onto the limit that it misses."""
        text = _show(self.metric, observed)
        if observed != self.limit and text == _show(self.metric, self.limit):
            return _show_exactly(self.metric, observed)
        return text


@dataclass(frozen=True, slots=True)
class Observation:
    """What a summary says of a metric; `value` in the threshold's unit, None without samples."""

    value: float | None
    samples: int
    needed: int = 1
    """Fewer samples than this are no data."""
    relative_error: float = 0.0
    interval: tuple[float, float] | None = None
    """Of a percentile: what encloses the true one with 95 % confidence."""


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
    parse_limit = _limit_parser(metric, scope)
    return Threshold(f"{metric} {sign} {limit}", metric, sign, parse_limit(limit), scope)


def _limit_parser(metric: str, scope: str | None) -> Callable[[str], float]:
    if _is_share(metric):
        return _parse_share
    if metric == "attempts_per_request":
        return _parse_number
    if metric in _RUN_ONLY:
        if scope is not None:
            raise ValueError(f"{metric} is a figure of the whole run, not of one request name")
        return parse_rate if metric == "rate" else parse_duration
    distribution, figure = _split(metric)
    if distribution in _DISTRIBUTIONS and figure in _SAMPLES:
        return _parse_ms
    close = get_close_matches(metric, METRICS, n=1)
    hint = f": did you mean {close[0]}?" if close else f": expected one of {', '.join(METRICS)}"
    raise ValueError(f"unknown metric {metric}{hint}")


def _parse_ms(text: str) -> float:
    if not text[-1:].isalpha():  # a bare number: is it ms or s? Better asked than guessed
        raise ValueError(f"expected a duration with its unit, such as 200ms or 1.5s, found {text}")
    return parse_duration(text) * 1000


def _parse_share(text: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)\s*(%)?", text)
    share = float(match[1]) / (100 if match[2] else 1) if match else math.nan
    if not 0 <= share <= 1:
        raise ValueError(f"expected a share from 0% to 100%, found {text}")
    if share == 1 and match and not match[2]:  # one request, one percent, or all of them?
        raise ValueError(f"write 1% or 100%, not {text}")
    return share


def _parse_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0:
        raise ValueError(f"expected a number, found {text}")
    return number


def _is_share(metric: str) -> bool:
    return metric in _SHARES or _STATUS.fullmatch(metric) is not None


def _show(metric: str, value: float) -> str:
    if _is_share(metric):
        return format_share(value)
    if metric == "rate":
        return format_rate(value)
    if metric == "duration":
        return format_duration(value)
    return f"{value:.3g}" if metric == "attempts_per_request" else f"{format_ms(value)} ms"


def _show_exactly(metric: str, value: float) -> str:
    if _is_share(metric):
        return f"{value * 100:.9g}%"
    unit = {"rate": "/s", "duration": " s", "attempts_per_request": ""}.get(metric, " ms")
    return f"{value:.9g}{unit}"


def observe(threshold: Threshold, summary: Summary) -> Observation:
    """Look the threshold's metric up in the run, or in its request name; a name without figures has no samples."""
    figures = summary.total if threshold.scope is None else summary.requests.get(threshold.scope, Figures(planned=0))
    metric = threshold.metric
    if metric == "rate":
        return Observation(summary.rate.achieved, figures.attempts, needed=2)
    if metric == "duration":
        return Observation(summary.duration_s, figures.attempts)
    count = _count(metric, figures)
    if count is not None:
        part, whole = count
        return Observation(part / whole if whole else None, whole)
    distribution, figure = _split(metric)
    spread: Spread = getattr(figures, f"{distribution}_ms")
    value: float | None = getattr(spread, "p999" if figure == "p99.9" else figure)
    # Mean and max are counted along, never read from a histogram.
    error = spread.relative_error if figure.startswith("p") else 0.0
    found = interval(spread.histogram, float(figure[1:]) / 100) if figure.startswith("p") else None
    between_ms = None if found is None else (found[0] / 1e6, found[1] / 1e6)
    return Observation(value, spread.count, _SAMPLES[figure], error, between_ms)


def _count(metric: str, figures: Figures) -> tuple[int, int] | None:
    """Give a counted metric as part and whole."""
    if metric == "failed":
        return figures.failed, figures.planned
    if metric == "unsent":
        return figures.unsent, figures.planned
    if metric == "attempts_per_request":
        return figures.attempts, figures.attempts - figures.retries
    if metric == "fault":
        return sum(figures.faults.values()), figures.attempts
    if metric.startswith("status."):
        code = metric.removeprefix("status.")
        return count_status(code, figures.status), figures.attempts
    return None


def count_status(code: str, status: Mapping[int, int]) -> int:
    """Count the answers of a status (`429`) or a class (`5xx`)."""
    return sum(n for one, n in status.items() if code in (str(one), f"{one // 100}xx"))


def _split(metric: str) -> tuple[str, str]:
    for distribution in _DISTRIBUTIONS:
        if metric.startswith(f"{distribution}."):
            return distribution, metric.removeprefix(f"{distribution}.")
    return "latency", metric
