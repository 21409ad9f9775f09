"""The whole story, on real servers: the burst that backs a service up, and the same one through burstctl.

Each test tells its part, holds it to what must be so whatever the machine, and holds the README's table to the same.
`BURSTCTL_UPDATE_GOLDEN=1 pytest tests/judges/test_story.py` writes that table anew.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.judges.conftest import ENDS_WITHIN_S, ROOT, Peer
from tests.judges.story import Row, read_rows, write_rows

QUEUE = "inference_queue_length"
REQUESTS = 400
MOST_WAITING = 200
P95_MS = 500
LIMIT_PER_S, BURST = 150, 20
SLOTS, SERVICE_S = 2, 0.02
MODEL = {"SLOTS": str(SLOTS), "SERVICE_MS": "20 20"}

ONE, SEVERAL = "gunicorn, 1 worker", "gunicorn, 4 workers"
HIDING = "gunicorn, 1 worker, answers 202 and works later"
LIMITED = {status: f"nginx, {status} above {LIMIT_PER_S}/s, before 4 workers" for status in (429, 503)}
SERVICES = (ONE, SEVERAL, HIDING, *LIMITED.values())

AT_ONCE, THROTTLED, FOLLOWING = "all at once", "burstctl", "burstctl, `follow: queue`"
OPTIONS = {
    # What a loop of parallel jobs does: everything now, and nothing twice.
    AT_ONCE: ["--rate-limit", "1000000/s", "--controller", "fixed", "--max-attempts", "1"],
    THROTTLED: [],
    FOLLOWING: [],
}

Tell = Callable[..., Row]
Told = Callable[[Sequence[Row]], Iterable[Sequence[Row]]]


@pytest.fixture
def tell(tmp_path: Path) -> Tell:
    """Send the burst to a service in one of the ways, and give the row of what came of it."""

    def send(service: str, sent: str, target: Peer, fleet: Peer) -> Row:
        (tmp_path / "burst.json").write_text(json.dumps(_manifest(sent, target, fleet)))
        _wait_for_rest(fleet)
        begin = fleet.log.stat().st_size
        command = [sys.executable, "-m", "burstctl", "run", "burst.json", "--jobs", "1", "--report", "json=out.json"]
        result = subprocess.run(
            [*command, *OPTIONS[sent]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=ENDS_WITHIN_S,
            check=False,
        )
        print(result.stdout, result.stderr)  # noqa: T201 - for the reader of a failed test
        report = json.loads((tmp_path / "out.json").read_text())
        waiting = max(_changes(fleet, begin))
        _hold_the_probes(report, waiting)
        return Row(
            service,
            sent,
            took_s=report["duration_s"],
            queue=waiting,
            p95_ms=round(report["latency_ms"]["p95"]),
            failed=report["failed"] + report["unsent"],
            refused=sum(report["status"].get(status, 0) for status in ("429", "503")),
            code=result.returncode,
        )

    return send


def _manifest(sent: str, target: Peer, fleet: Peer) -> dict[str, Any]:
    probe = {"every": "100ms", "required": True}
    pattern = r"Queue size = (?P<value>\d+)"
    follow = {"follow": "queue", "keep_under": 60} if sent == FOLLOWING else {}
    return {
        "version": 1,
        "target": {"base_url": target.url, "timeout": "1500ms"},
        "rate_limit": {"rate": "300/s", **follow},
        "requests": [{"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": REQUESTS}],
        "probes": [
            {"name": "queue", "kind": "prometheus", "url": f"{fleet.url}/metrics", "metric": QUEUE, **probe},
            {"name": "log", "kind": "log", "file": str(fleet.log), "pattern": pattern, **probe},
        ],
        "thresholds": [
            f"probe.queue.max <= {MOST_WAITING}",
            f"probe.log.max <= {MOST_WAITING}",
            "probe.queue.recovery < 30s",
            "probe.log.recovery < 30s",
            f"p95 < {P95_MS}ms",
        ],
    }


def _changes(fleet: Peer, begin: int = 0) -> list[int]:
    """Read what the service wrote down of its queue."""
    return [int(value) for value in re.findall(r"Queue size = (\d+)\n", fleet.log.read_text()[begin:])]


def _wait_for_rest(fleet: Peer) -> None:
    """Wait until nothing waits any more of the burst before."""
    give_up_s = time.monotonic() + ENDS_WITHIN_S
    while (_changes(fleet) or [0])[-1]:
        assert time.monotonic() < give_up_s
        time.sleep(0.05)


def _hold_the_probes(report: dict[str, Any], waiting: int) -> None:
    """Hold what burstctl saw of the fleet to what the fleet itself wrote down."""
    gauge, log = report["probes"]["queue"], report["probes"]["log"]
    # The log has every change and is read to its end; the gauge is looked at now and then.
    assert log["max"] == waiting
    assert gauge["max"] <= waiting
    assert gauge["baseline"] == log["baseline"] == 0
    assert None not in (gauge["recovery_s"], log["recovery_s"])
    # In no figure of the load.
    assert report["planned"] == REQUESTS
    assert report["attempts"] == sum(report["status"].values()) + sum(report["faults"].values())


@pytest.fixture
def told() -> Told:
    """Give rows as they were seen, then as the README has them; that must be the same runs with the same exit codes."""

    def both(seen: Sequence[Row]) -> Iterator[Sequence[Row]]:
        readme = ROOT / "README.md"
        yield seen
        if os.environ.get("BURSTCTL_UPDATE_GOLDEN"):
            write_rows(readme, seen, SERVICES)
        services = {row.service for row in seen}
        written = [row for row in read_rows(readme) if row.service in services]
        assert [row.what for row in written] == [row.what for row in seen]
        yield written

    return both


def test_a_queue_stays_short_and_several_workers_end_it_sooner(
    gunicorn: Callable[..., Peer], tell: Tell, told: Told
) -> None:
    one = gunicorn(1, "watched_app", **MODEL)
    rows = [tell(ONE, AT_ONCE, one, one), tell(ONE, THROTTLED, one, one)]
    several = gunicorn(4, "watched_app", **MODEL)
    rows += [tell(SEVERAL, THROTTLED, several, several)]
    for at_once, throttled, sooner in told(rows):
        assert (at_once.code, throttled.code, sooner.code) == (1, 0, 0)
        assert at_once.queue > MOST_WAITING >= max(throttled.queue, sooner.queue)
        assert at_once.p95_ms > P95_MS > max(throttled.p95_ms, sooner.p95_ms)
        assert at_once.failed > 0 == throttled.failed == sooner.failed
        # No sooner than the worker can, and then with more of them.
        assert throttled.took_s > (REQUESTS / SLOTS - 1) * SERVICE_S > sooner.took_s


def test_a_queue_that_latency_hides_is_followed(gunicorn: Callable[..., Peer], tell: Tell, told: Told) -> None:
    service = gunicorn(1, "watched_app", ANSWER="first", **MODEL)
    for unaware, following in told([tell(HIDING, sent, service, service) for sent in (THROTTLED, FOLLOWING)]):
        assert (unaware.code, following.code) == (1, 0)
        assert unaware.queue > MOST_WAITING >= following.queue
        assert unaware.failed == following.failed == 0


@pytest.mark.parametrize("status", [429, 503])
def test_a_limit_before_the_workers_is_learnt(
    gunicorn: Callable[..., Peer], nginx: Callable[..., Peer], tell: Tell, told: Told, status: int
) -> None:
    fleet = gunicorn(4, "watched_app", **MODEL)
    limit = f"limit_req zone=burst burst={BURST} nodelay; limit_req_status {status};"
    peer = nginx(f"{LIMIT_PER_S}r/s", limit, f"proxy_pass {fleet.url};")
    for at_once, throttled in told([tell(LIMITED[status], sent, peer, fleet) for sent in (AT_ONCE, THROTTLED)]):
        assert (at_once.code, throttled.code) == (1, 0)
        assert at_once.failed >= at_once.refused > REQUESTS / 3
        assert throttled.failed == 0
        assert throttled.refused <= REQUESTS / 10
        assert max(at_once.queue, throttled.queue) <= MOST_WAITING
        # The limit did hold the burst back.
        assert throttled.took_s >= (REQUESTS - 1 - BURST) / LIMIT_PER_S - 0.05


def test_the_readme_tells_of_these_services_and_no_other() -> None:
    assert list(dict.fromkeys(row.service for row in read_rows(ROOT / "README.md"))) == list(SERVICES)
