"""What probes cost the load that they watch: the sender's lag with them, as a ratio to the lag without."""

import json
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from process import CLIENT_CORE, run_pinned
from rounds import median_of, play_rounds
from servers import fleet
from table import Table, Target

_RATE_PER_S = 300
_MOST_RATIO = 1.25
_CONTROL = "no probe, again"
"""How far it is from its twin is the machine's noise: nothing can be told to be worse that is within it."""
_CREDENTIALS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}


@dataclass(frozen=True, slots=True)
class _Course:
    lag_p99_ms: float
    cpu: float
    readings: int
    errors: int


def measure_polling(rounds: int, *, quick: bool) -> Table:
    """Send the same burst with probes of several kinds, and without any."""
    requests = _RATE_PER_S * (3 if quick else 10)
    with fleet("--instances", "4") as url, _hanging() as hangs, tempfile.TemporaryDirectory() as home:
        metrics = {"kind": "prometheus", "preset": "burstctl"}
        probes: dict[str, dict[str, object] | None] = {
            "no probe": None,
            _CONTROL: None,
            "prometheus, each second": {**metrics, "url": f"{url}/metrics"},
            "prometheus that hangs": {**metrics, "url": hangs},
            "sqs that hangs": {"kind": "sqs", "queue_url": f"{hangs}/1/jobs", "region": "eu-central-1"},
            "command, each second": {"kind": "command", "command": ["echo", "5"]},
        }

        def play(name: str) -> _Course:
            probe = probes[name]
            manifest = Path(home) / "burst.json"
            manifest.write_text(json.dumps(_manifest(url, requests, probe)))
            return _run(manifest, requests, {**_CREDENTIALS, "AWS_ENDPOINT_URL": hangs})

        courses = play_rounds(list(probes), rounds, play)
    return _table(courses)


def _manifest(url: str, requests: int, probe: Mapping[str, object] | None) -> dict[str, object]:
    burst = {"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": requests}
    every_second = {"name": "watched", "every": "1s", "timeout": "2s"}
    return {
        "version": 1,
        "target": {"base_url": url},
        "rate_limit": f"{_RATE_PER_S}/s",
        "requests": [burst],
        "probes": [] if probe is None else [{**every_second, **probe}],
    }


def _run(manifest: Path, requests: int, environment: Mapping[str, str]) -> _Course:
    report = manifest.with_suffix(".report")
    command = [
        sys.executable,
        "-m",
        "burstctl",
        "run",
        str(manifest),
        "--allow-commands",
        "--progress",
        "off",
        "--quiet",
    ]
    ended = run_pinned([*command, "--report", f"json={report}"], CLIENT_CORE, environment=environment)
    said = json.loads(report.read_text())
    if ended.code or said["succeeded"] != requests:
        raise RuntimeError(f"not all requests succeeded: {ended.errors}")
    probes = said.get("probes", {}).values()
    return _Course(
        said["generator"]["lag_ms"]["p99"],
        said["generator"]["cpu"],
        sum(one["readings"] for one in probes),
        sum(one["errors"] for one in probes),
    )


def _table(courses: Mapping[str, list[_Course]]) -> Table:
    # The least of all rounds: other work on the machine only ever adds to lag, and comes and goes by the minute.
    least_ms = {name: min(course.lag_p99_ms for course in played) for name, played in courses.items()}
    ratios = {name: lag_ms / least_ms["no probe"] for name, lag_ms in least_ms.items()}
    noise = max(ratios[_CONTROL], 1 / ratios[_CONTROL])
    most = max(_MOST_RATIO, noise)
    rows, targets = [], []
    for name, played in courses.items():
        rows.append(
            [
                name,
                f"{least_ms[name]:.3f}",
                f"{ratios[name]:.2f}",
                f"{median_of(played, lambda course: course.lag_p99_ms):.3f}",
                f"{median_of(played, lambda course: course.cpu):.1%}",
                f"{median_of(played, lambda course: course.readings):.0f}",
                f"{median_of(played, lambda course: course.errors):.0f}",
            ]
        )
        if name not in ("no probe", _CONTROL):
            text = f"{name}: lag p99 at most {most:.2f} × without (noise: {noise:.2f})"
            targets.append(Target(text, f"{ratios[name]:.2f}", ratios[name] <= most))
    heads = ["beside the load", "least lag p99 ms", "÷ without", "median", "CPU of a core", "readings", "errors"]
    return Table(heads, rows, targets)


@contextmanager
def _hanging() -> Iterator[str]:
    """Take connections, and never say a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
