"""Says in words what kept a run below its ceiling, where something did. Knows no verdict: this is no fault."""

from burstctl.units import format_rate

_NEAR = 0.9
_FEWEST = 50


def held_back(
    ceiling_per_s: float,
    achieved_per_s: float | None,
    attempts: int,
    allowed_per_s: float,
    max_in_flight: int,
    window: float | None,
) -> str | None:
    """Name quota or window; `allowed_per_s` and `window` are the controller's at the end of the run."""
    if achieved_per_s is None or attempts < _FEWEST or achieved_per_s >= _NEAR * ceiling_per_s:
        return None
    below = f"the rate stayed below the ceiling of {format_rate(ceiling_per_s)}"
    if allowed_per_s < _NEAR * ceiling_per_s:
        return f"{below}: the server's quota lets about {allowed_per_s:.3g}/s through"
    if window is not None and max_in_flight >= _NEAR * window:
        return f"{below}: the window let at most {max_in_flight:,} be in flight"
    return None
