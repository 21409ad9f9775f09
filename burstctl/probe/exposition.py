"""Reads one metric out of a Prometheus or OpenMetrics exposition. Knows nothing of where it came from.

Only lines of that metric are looked at, and each character of the rest but once, whatever the peer sent: this happens
each second on the event loop, and must not delay a send. Sources: prometheus.io "Exposition formats" 0.0.4; OpenMetrics
1.0, section 5.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from burstctl.probe.number import number

_LABEL = re.compile(r'\s*([a-zA-Z_][\w.]*|"(?:[^"\\]|\\.)*")\s*=\s*"((?:[^"\\\n]|\\.)*)"\s*(?:,|$)')
_ESCAPE = re.compile(r"\\(.)")
_SERIES = re.compile(rb'(?:\{(?P<labels>(?:[^"}\n]++|"(?:[^"\\\n]++|\\.)*+")*+)\})?[ \t]+(?P<value>\S+)')
"""A line from the end of the metric's name on."""
_TYPE = re.compile(rb"[ \t]+(\w+)")


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a metric."""

    labels: Mapping[str, str]
    value: float | None
    """None where the line has no finite one."""


def find_series(exposition: bytes, metric: str) -> Iterator[Series]:
    """Give the series of a metric; a counter's name may be written without its `_total`."""
    # Newer client libraries write the colon of a name as an underscore where the reader is not known to allow it.
    names = (metric, f"{metric}_total", metric.replace(":", "_"), f"{metric.replace(':', '_')}_total")
    for name in dict.fromkeys(names):
        if name.startswith("#"):
            return
        found = False
        for end in _line_starts(exposition, name.encode()):
            match = _SERIES.match(exposition, end)
            if match is not None:
                found = True
                yield Series(_labels(_text(match["labels"] or b"")), number(_text(match["value"])))
        if found:
            return


def type_of(exposition: bytes, metric: str) -> str | None:
    """Tell what an exposition says of a metric's type: gauge, counter, histogram, summary…"""
    for start in _line_starts(exposition, f"# TYPE {metric}".encode()):
        match = _TYPE.match(exposition, start)
        if match is not None:
            return _text(match[1])
    return None


def matches(series: Series, wanted: Mapping[str, str]) -> bool:
    """Tell whether a series has all of these labels; one that it lacks is empty, as in Prometheus."""
    return all(series.labels.get(name, "") == value for name, value in wanted.items())


def _line_starts(exposition: bytes, name: bytes) -> Iterator[int]:
    """Give the places right behind a name at the start of a line."""
    line = 0
    while (place := exposition.find(name, line)) >= 0:
        end = place + len(name)
        line = max(line, exposition.rfind(b"\n", line, place) + 1)
        if not exposition[line:place].strip(b" \t"):
            yield end
        line = exposition.find(b"\n", end) + 1
        if not line:
            return


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _labels(text: str) -> dict[str, str]:
    return {name.strip('"'): _ESCAPE.sub(_unescape, value) for name, value in _LABEL.findall(text)}


def _unescape(match: re.Match[str]) -> str:
    return "\n" if match[1] == "n" else match[1]
