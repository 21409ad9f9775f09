"""A fleet's settings are checked where they are made."""

from typing import Any

import pytest

from burstctl.fleet.spec import FleetSpec, Quota, Step


def test_the_default_is_three_instances_of_150_requests_a_second() -> None:
    assert FleetSpec().slots == 3
    assert FleetSpec().capacity_rps == pytest.approx(450)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"slots": 0}, "slots"),
        ({"service_mean_s": 0.0}, "service mean"),
        ({"service_mean_s": float("nan")}, "service mean"),
        ({"queue_limit": -1}, "queue limit"),
        ({"overload_status": 500}, "overload status"),
        ({"retry_after_s": 0}, "Retry-After"),
        ({"policy_header": True}, "needs a quota"),
        ({"error_share": 1.1}, "error share"),
        ({"error_status": 200}, "error status"),
        ({"service_steps": (Step(1, 0),)}, "service mean"),
    ],
)
def test_an_impossible_setting_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FleetSpec(**settings)


@pytest.mark.parametrize("make", [lambda: Quota(0, 1), lambda: Quota(1, 0.5), lambda: Step(-1, 1), lambda: Step(0, -1)])
def test_an_impossible_part_is_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="must"):
        make()
