"""gunicorn with uvicorn workers: capacity in steps of a worker, connections that stick to one, queues nobody sees."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.judges.conftest import Peer


@pytest.mark.parametrize(
    ("workers", "settings"),
    [
        pytest.param(1, {"SLOTS": "4"}, id="one worker, 160/s"),
        pytest.param(1, {"SLOTS": "4", "QUEUE_LIMIT": "20"}, id="one worker, 503 beyond a queue of 20"),
        pytest.param(3, {"SLOTS": "2"}, id="three workers, 240/s"),
        pytest.param(4, {"SLOTS": "1", "QUEUE_LIMIT": "20"}, id="four workers of one slot, 503 beyond a queue of 20"),
    ],
)
def test_a_burst_gets_through_a_small_gunicorn(
    gunicorn: Callable[..., Peer], send_burst: Callable[[str], Any], workers: int, settings: dict[str, str]
) -> None:
    judgement = send_burst(gunicorn(workers, **settings).url)
    assert judgement.report["succeeded"] == judgement.report["planned"], judgement.timeline()
    assert judgement.report["faults"] == {}, judgement.timeline()
    assert judgement.wasted <= 0.05, judgement.timeline()
