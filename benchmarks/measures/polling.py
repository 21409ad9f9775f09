"""What probes cost the load that they watch: the sender's lag with them, as a ratio to the lag without."""

import json
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from process import CLIENT_CORE, run_pinned
from rounds import median_of, play_rounds
from servers import fleet
from table import Table, Target

_RATE = "300/s"
_PROGRAM = str(Path(__file__).parents[1] / "watched.py")
_MOST_RATIO = 1.25
"""Two series without any probe differ by this much between rounds on a shared machine."""


@dataclass(frozen=True, slots=True)
class _Course:
    lag_p50_ms: float
    lag_p99_ms: float
    cpu: float
    readings: int
    errors: int


def measure_polling(rounds: int, *, quick: bool) -> Table:
    """Send the same burst with probes of several kinds, and without any."""
    seconds = 3 if quick else 20
    with fleet("--instances", "4") as url, _hanging() as hangs:
        probes: dict[str, list[dict[str, Any]]] = {
            "no probe": [],
            "no probe, again": [],
            "prometheus, each second": [
                {"kind": "prometheus", "keys": {"url": f"{url}/metrics", "preset": "burstctl"}}
            ],
            "prometheus that hangs": [{"kind": "prometheus", "keys": {"url": hangs, "preset": "burstctl"}}],
            "sqs that hangs": [{"kind": "sqs", "keys": {"queue_url": f"{hangs}/1/jobs", "region": "eu-central-1"}}],
            "command, each second": [{"kind": "command", "keys": {"command": ["/bin/echo", "5"]}}],
        }

        def play(name: str) -> _Course:
            command = [sys.executable, _PROGRAM, url, str(300 * seconds), _RATE, json.dumps(probes[name])]
            ended = run_pinned(command, CLIENT_CORE, environment=_aws(hangs))
            if ended.code:
                raise RuntimeError(f"{name}: {ended.errors}")
            said = json.loads(ended.output)
            if said["succeeded"] != 300 * seconds or said["crash"]:
                raise RuntimeError(f"{name}: {ended.output}")
            return _Course(said["lag_p50_ms"], said["lag_p99_ms"], said["cpu"], said["readings"], said["errors"])

        courses = play_rounds(list(probes), rounds, play)
    bare_ms = median_of(courses["no probe"], lambda course: course.lag_p99_ms)
    rows, targets = [], []
    for name, played in courses.items():
        p99_ms = median_of(played, lambda course: course.lag_p99_ms)
        rows.append(
            [
                name,
                f"{median_of(played, lambda course: course.lag_p50_ms):.3f}",
                f"{p99_ms:.3f}",
                f"{p99_ms / bare_ms:.2f}",
                f"{median_of(played, lambda course: course.cpu):.1%}",
                f"{median_of(played, lambda course: course.readings):.0f}",
                f"{median_of(played, lambda course: course.errors):.0f}",
            ]
        )
        if name != "no probe":
            text = f"{name}: lag p99 at most {_MOST_RATIO} × without"
            targets.append(Target(text, f"{p99_ms / bare_ms:.2f}", p99_ms <= _MOST_RATIO * bare_ms))
    heads = ["beside the load", "lag p50 ms", "lag p99 ms", "÷ without", "CPU of a core", "readings", "errors"]
    return Table(heads, rows, targets)


@contextmanager
def _hanging() -> Iterator[str]:
    """Take connections, and never say a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def _aws(url: str) -> dict[str, str]:
    return {"AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}
