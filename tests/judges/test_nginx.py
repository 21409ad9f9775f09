"""nginx's `limit_req`, with and without room for bursts, with both statuses that people configure."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.judges.conftest import Peer

BURST = 20
LIMITS = {
    "no burst": "limit_req zone=burst;",
    "burst, refused beyond": f"limit_req zone=burst burst={BURST} nodelay;",
    "burst, delayed": f"limit_req zone=burst burst={BURST};",
}


@pytest.mark.parametrize(
    ("rate", "status", "limit"),
    [
        ("100r/s", 429, "burst, refused beyond"),
        ("150r/s", 429, "burst, delayed"),
        ("150r/s", 429, "no burst"),
        ("150r/s", 503, "burst, refused beyond"),
        ("100r/s", 503, "burst, delayed"),
        ("150r/s", 503, "no burst"),
    ],
)
def test_a_burst_gets_through_a_limited_nginx(
    nginx: Callable[..., Peer], send_burst: Callable[[str], Any], rate: str, status: int, limit: str
) -> None:
    judgement = send_burst(nginx(rate, f"{LIMITS[limit]} limit_req_status {status};").url)
    assert judgement.report["succeeded"] == judgement.report["planned"], judgement.timeline()
    assert judgement.report["faults"] == {}, judgement.timeline()
    assert judgement.wasted <= 0.05, judgement.timeline()
    # A burst that was not held back would say nothing of the controller.
    least_s = (judgement.report["planned"] - 1 - BURST) / int(rate.removesuffix("r/s"))
    assert judgement.report["duration_s"] >= least_s, judgement.timeline()
