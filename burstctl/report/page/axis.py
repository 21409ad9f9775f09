"""An axis of a chart: from where to where, with ticks at round values. Knows no pixels."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_TIME_STEPS_S = (0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400)
_MOST_TICKS = 6
_LEAST_SPAN = 1e-9


@dataclass(frozen=True, slots=True)
class Tick:
    """A value that is written at the axis."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values; on a logarithmic axis all are positive."""

    low: float
    high: float
    ticks: Sequence[Tick]
    log: bool = False

    def place(self, value: float) -> float:
        """Give the value's place on the axis: 0 at its start, 1 at its end."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


def linear_axis(low: float, high: float) -> Axis:
    """Make an axis that begins and ends at a tick."""
    if high - low < _LEAST_SPAN:
        high = low + (abs(low) or 1.0)
    step = _round_step((high - low) / 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    ticks = [Tick(number * step, _figure(number * step)) for number in range(first, last + 1)]
    return Axis(ticks[0].value, ticks[-1].value, ticks)


def time_axis(low_s: float, high_s: float) -> Axis:
    """Make an axis of seconds since the run's start."""
    span_s = high_s - low_s
    fitting = (step for step in _TIME_STEPS_S if span_s / step <= _MOST_TICKS)
    step_s = next(fitting, math.ceil(span_s / _MOST_TICKS / 86400) * 86400)
    numbers = range(math.ceil(low_s / step_s), math.floor(high_s / step_s) + 1)
    return Axis(low_s, high_s, [Tick(number * step_s, time_of(number * step_s)) for number in numbers])


def log_axis(low: float, high: float) -> Axis:
    """Make a logarithmic axis around two positive values."""
    low, high = low / 1.1, high * 1.1
    ticks = _log_ticks(low, high, (1, 2, 5))
    if len(ticks) > _MOST_TICKS:
        ticks = _log_ticks(low, high, (1,))
    if len(ticks) < 2:
        # Less than one round value after another: what lies between them is as good as straight.
        step = _round_step((high - low) / 3)
        ticks = [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return Axis(low, high, [Tick(value, _figure(value)) for value in ticks[:: 1 + len(ticks) // 9]], log=True)


def time_of(seconds: float) -> str:
    """Write a time since the start: `15 s`, `2:30`, `1:02:30`."""
    if abs(seconds) < 60:
        return f"{seconds:.6g} s"
    minutes, rest = divmod(round(abs(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    sign = "-" if seconds < 0 else ""
    return f"{sign}{hours}:{minutes:02d}:{rest:02d}" if hours else f"{sign}{minutes}:{rest:02d}"


def _round_step(least: float) -> float:
    decade: float = 10.0 ** math.floor(math.log10(least))
    return next((decade * factor for factor in (1, 2, 5) if decade * factor >= least * 0.999), decade * 10)


def _log_ticks(low: float, high: float, factors: Sequence[int]) -> list[float]:
    def every() -> Iterator[float]:
        for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1):
            yield from (factor * 10.0**power for factor in factors)

    return [value for value in every() if low <= value <= high]


def _figure(value: float) -> str:
    if value and not 1e-3 <= abs(value) < 1e7:
        return f"{value:.3g}"
    return f"{value:,.6g}"
