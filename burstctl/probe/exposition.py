"""Reads one metric out of a Prometheus or OpenMetrics exposition. Knows nothing of where the text came from.

Only lines of that metric are looked at: an exposition of thousands of series, read each second on the event loop, must
not delay a send. Sources: prometheus.io "Exposition formats" 0.0.4; OpenMetrics 1.0, section 5.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_LABEL = re.compile(r'\s*([a-zA-Z_][\w.]*|"(?:[^"\\]|\\.)*")\s*=\s*"((?:[^"\\\n]|\\.)*)"\s*(?:,|$)')
_ESCAPE = re.compile(r"\\(.)")
_SERIES = re.compile(r'(?:_total)?(?:\{(?P<labels>(?:[^"}\n]|"(?:[^"\\\n]|\\.)*")*)\})?[ \t]+(?P<value>\S+)')
"""A line from the end of the metric's name on."""


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a metric."""

    labels: Mapping[str, str]
    value: float


def find_series(text: str, metric: str) -> Iterator[Series]:
    """Give the series of a metric that have a finite value; a counter's name may be written without its `_total`."""
    # Newer client libraries write the colon of a name as an underscore where the reader is not known to allow it.
    for name in dict.fromkeys((metric, metric.replace(":", "_"))):
        for end in _line_starts(text, name):
            match = _SERIES.match(text, end)
            value = None if match is None else _number(match["value"])
            if match is not None and value is not None:
                yield Series(_labels(match["labels"] or ""), value)


def _line_starts(text: str, name: str) -> Iterator[int]:
    """Give the places right behind a name at the start of a line."""
    place = text.find(name)
    while place >= 0:
        end = place + len(name)
        line = text.rfind("\n", 0, place) + 1
        if not text[line:place].strip(" \t"):
            yield end
        place = text.find(name, end)


def matches(series: Series, wanted: Mapping[str, str]) -> bool:
    """Tell whether a series has all of these labels."""
    return all(series.labels.get(name) == value for name, value in wanted.items())


def _labels(text: str) -> dict[str, str]:
    return {name.strip('"'): _ESCAPE.sub(_unescape, value) for name, value in _LABEL.findall(text)}


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else match[1]


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
