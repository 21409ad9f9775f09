"""Why a run was slower than its ceiling is said where it is known, and only there."""

import pytest

from burstctl.record.held_back import held_back


@pytest.mark.parametrize(
    ("achieved", "attempts", "allowed", "in_flight", "window", "said"),
    [
        (55.0, 724, 51.0, 9, 60.0, "quota lets about 51/s through"),
        (150.0, 1200, 300.0, 30, 28.4, "at most 30 be in flight"),
        (299.0, 1200, 300.0, 30, 28.4, None),
        (150.0, 1200, 300.0, 5, 60.0, None),
        (20.0, 10, 300.0, 5, 5.0, None),
        (None, 1, 300.0, 1, 60.0, None),
    ],
)
def test_the_limit_is_named(
    achieved: float | None, attempts: int, allowed: float, in_flight: int, window: float, said: str | None
) -> None:
    note = held_back(300.0, achieved, attempts, allowed, in_flight, window)
    assert note is None if said is None else said in (note or "")
