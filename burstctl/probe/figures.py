"""What a probe told over a run, reduced as it comes. Knows neither kinds nor when a reading is due."""

import math
from collections import Counter
from dataclasses import dataclass, field

from burstctl.probe.probe import MAIN, Reading
from burstctl.summary import Cause, ProbeFigures, SeriesFigures

_MOST_POINTS = 2000
"""Of the main series, kept to be drawn; of a longer run every second one, then every fourth…"""


@dataclass(slots=True)
class _Series:
    count: int = 0
    total: float = 0.0
    least: float = math.inf
    most: float = -math.inf
    last: float | None = None

    def add(self, value: float) -> None:
        self.count += 1
        self.total += value
        self.least, self.most = min(self.least, value), max(self.most, value)
        self.last = value

    def figures(self) -> SeriesFigures:
        if not self.count:
            return SeriesFigures()
        return SeriesFigures(self.least, self.total / self.count, self.most, self.last)


@dataclass(slots=True)
class Track:
    """The readings of one probe."""

    baseline: float | None = None
    """The main series before the first request."""
    recovery_s: float | None = None
    """From the last answer until the value was back at the baseline; None if it was not, or is not known."""
    watched_s: float | None = None
    """When it was last read for that, after the last answer."""
    _series: dict[str, _Series] = field(default_factory=dict)
    _readings: int = 0
    _errors: Counter[str] = field(default_factory=Counter)
    _points: list[tuple[float, float]] = field(default_factory=list)
    _step: int = 1

    def add(self, at_s: float, reading: Reading) -> None:
        """Take one reading."""
        for name, value in reading.items():
            self._series.setdefault(name, _Series()).add(value)
        if MAIN in reading and self._readings % self._step == 0:
            self._points.append((at_s, reading[MAIN]))
            if len(self._points) > _MOST_POINTS:
                del self._points[1::2]
                self._step *= 2
        self._readings += 1

    def fail(self, reason: str) -> None:
        """Count a reading that failed."""
        self._errors[reason] += 1

    def set_baseline(self) -> None:
        self.baseline = self.main().last

    def main(self) -> SeriesFigures:
        """Give what the main series came to so far."""
        return self._series.get(MAIN, _Series()).figures()

    def figures(self, kind: str, start_s: float) -> ProbeFigures:
        """Freeze what was told so far; `start_s` becomes the time 0."""
        return ProbeFigures(
            kind=kind,
            baseline=self.baseline,
            main=self.main(),
            recovery_s=self.recovery_s,
            watched_s=self.watched_s,
            readings=self._readings,
            errors=sum(self._errors.values()),
            series={name: series.figures() for name, series in self._series.items() if name != MAIN},
            causes=tuple(Cause(text, count) for text, count in self._errors.most_common(5)),
            points=tuple((at_s - start_s, value) for at_s, value in self._points),
        )
