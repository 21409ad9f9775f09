"""A metric of a run: how it is written, what limits it takes, what a summary says of it. Compares nothing.

`probe.NAME` and `probe.NAME.SERIES` with a figure (`max`, `recovery`…; none: `last`) are what the fleet told of itself.
"""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches

from burstctl.interval import interval
from burstctl.summary import Figures, ProbeFigures, SeriesFigures, Spread, Summary
from burstctl.units import format_duration, format_ms, format_rate, format_share, parse_duration, parse_rate

# Fewer samples than this can't tell a percentile apart from the maximum, or from luck.
_SAMPLES = {"p50": 1, "p75": 1, "p90": 10, "p95": 20, "p99": 100, "p99.9": 1000, "mean": 1, "max": 1}
_DISTRIBUTIONS = ("latency", "response", "wait", "ttfb")
_SHARES = ("failed", "unsent", "fault")
_RUN_ONLY = ("rate", "duration")
_STATUS = re.compile(r"status\.([1-5]xx|[1-5]\d\d)")
_OF_SERIES = ("min", "mean", "max", "last")
_PROBE = re.compile(
    r"probe\.(?P<name>[a-z][a-z0-9_]*)(?:\.(?!(?:min|mean|max|last|baseline|recovery|readings|errors)\b)"
    r"(?P<series>[a-z][a-z0-9_]*))?(?:\.(?P<figure>min|mean|max|last|baseline|recovery|readings|errors))?"
)

METRICS = (
    *_SHARES,
    "status.429",
    "attempts_per_request",
    *_RUN_ONLY,
    *_SAMPLES,
    *(f"{distribution}.p95" for distribution in _DISTRIBUTIONS[1:]),
)
"""Examples of every family, for messages; `response.`, `wait.` and `ttfb.` take each of p50 to max."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a summary says of a metric; `value` in the metric's unit, None without samples."""

    value: float | None
    samples: int
    needed: int = 1
    """Fewer samples than this are no data."""
    relative_error: float = 0.0
    interval: tuple[float, float] | None = None
    """Of a percentile: what encloses the true one with 95 % confidence."""
    at_least: bool = False
    """What was to be seen took longer than `value`, and nobody knows how long."""
    optional: bool = False
    """Without samples it says nothing about the run: a probe that never answered."""


def limit_parser(metric: str, scope: str | None) -> Callable[[str], float]:
    """Give what reads a limit of the metric, in its unit; a `ValueError` says why there is none."""
    if is_share(metric):
        return _parse_share
    if metric == "attempts_per_request":
        return _parse_number
    if metric in _RUN_ONLY or probe_of(metric) is not None:
        if scope is not None:
            raise ValueError(f"{metric} is a figure of the whole run, not of one request name")
        if metric == "rate":
            return parse_rate
        return parse_duration if unit_of(metric) == "s" else _parse_any
    distribution, figure = _split(metric)
    if distribution in _DISTRIBUTIONS and figure in _SAMPLES:
        return _parse_ms
    if metric.startswith("probe."):
        raise ValueError(f"expected probe.NAME, probe.NAME.max or probe.NAME.SERIES.max, found {metric}")
    close = get_close_matches(metric, METRICS, n=1)
    hint = f": did you mean {close[0]}?" if close else f": expected one of {', '.join(METRICS)}"
    raise ValueError(f"unknown metric {metric}{hint}")


def is_share(metric: str) -> bool:
    """Tell whether values are parts of a count, from 0 to 1."""
    return metric in _SHARES or _STATUS.fullmatch(metric) is not None


def unit_of(metric: str) -> str:
    """Give the unit of values and limits: ms, s, share, requests/s; empty for a plain number."""
    if is_share(metric):
        return "share"
    if metric.startswith("probe."):
        return "s" if metric.endswith(".recovery") else ""
    return {"rate": "requests/s", "duration": "s", "attempts_per_request": ""}.get(metric, "ms")


def distribution_of(metric: str) -> str | None:
    """Give the distribution of times that it belongs to (`latency`, `wait`…); None for any other metric."""
    distribution, figure = _split(metric)
    return distribution if figure in _SAMPLES and not metric.startswith("probe.") else None


def samples_needed(metric: str) -> int:
    """Tell how many samples it takes at the least."""
    return _SAMPLES.get(_split(metric)[1], 1)


def probe_of(metric: str) -> str | None:
    """Give the name of the probe that it is a figure of; None for a metric of the load."""
    match = _PROBE.fullmatch(metric)
    return None if match is None else match["name"]


def series_of(metric: str) -> str | None:
    """Give the series of a probe that it is a figure of; None for the probe's own value, or a metric of the load."""
    match = _PROBE.fullmatch(metric)
    return None if match is None else match["series"]


def show(metric: str, value: float) -> str:
    """Write a value with its unit, rounded for people."""
    match unit_of(metric):
        case "share":
            return format_share(value)
        case "requests/s":
            return format_rate(value)
        case "s":
            return format_duration(value)
        case "ms":
            return f"{format_ms(value)} ms"
        case _:
            return f"{value:,.6g}" if metric.startswith("probe.") else f"{value:.3g}"


def show_exactly(metric: str, value: float) -> str:
    """Write a value with its unit, as it is."""
    if is_share(metric):
        return f"{value * 100:.9g}%"
    unit = unit_of(metric)
    return f"{value:.9g}" + {"requests/s": "/s", "": ""}.get(unit, f" {unit}")


def observe_metric(metric: str, scope: str | None, summary: Summary) -> Observation:
    """Look a metric up in the run, or in one request name; a name without figures has no samples."""
    figures = summary.total if scope is None else summary.requests.get(scope, Figures(planned=0))
    if metric == "rate":
        return Observation(summary.rate.achieved, figures.attempts, needed=2)
    if metric == "duration":
        return Observation(summary.duration_s, figures.attempts)
    probe = _PROBE.fullmatch(metric)
    if probe is not None:
        return _observe_probe(summary.probes.get(probe["name"]), probe["series"], probe["figure"] or "last")
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


def count_status(code: str, status: Mapping[int, int]) -> int:
    """Count the answers of a status (`429`) or a class (`5xx`)."""
    return sum(n for one, n in status.items() if code in (str(one), f"{one // 100}xx"))


def _observe_probe(figures: ProbeFigures | None, series: str | None, figure: str) -> Observation:
    if figures is None:
        return Observation(None, 0)
    if figure in ("readings", "errors"):
        return Observation(float(getattr(figures, figure)), 1)
    if figure == "recovery":
        # Not back at its baseline when it was last read: it takes longer than that.
        value = figures.recovery_s if figures.recovery_s is not None else figures.watched_s
    elif figure == "baseline":
        value = figures.baseline
    else:
        value = getattr(figures.main if series is None else figures.series.get(series, SeriesFigures()), figure)
    at_least = figure == "recovery" and figures.recovery_s is None
    return Observation(
        value, 0 if value is None else figures.readings, at_least=at_least, optional=not figures.required
    )


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


def _split(metric: str) -> tuple[str, str]:
    for distribution in _DISTRIBUTIONS:
        if metric.startswith(f"{distribution}."):
            return distribution, metric.removeprefix(f"{distribution}.")
    return "latency", metric


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


def _parse_any(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"expected a number, found {text}")
    return number
