"""A probe's figures in words, the same in every format for people."""

from burstctl.summary import ProbeFigures
from burstctl.units import format_duration


def format_value(value: float | None) -> str:
    """Write a value of a signal whose unit nobody knows."""
    return "–" if value is None else f"{value:,.6g}"


def recovery(probe: ProbeFigures) -> str:
    """Write how long it took until it was as before the run; what was not awaited, or has no before, has none."""
    if probe.recovery_s is not None:
        return format_duration(probe.recovery_s)
    return "–" if probe.watched_s is None else f"over {format_duration(probe.watched_s)}"
