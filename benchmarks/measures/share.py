"""Three real jobs under one ceiling of 300/s, as ratios to what a fluid would take; and what sharing costs."""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from fit import most_in_any_second
from fluid import least_s
from process import run_pinned
from rounds import median_of, play_rounds
from servers import fetch, fleet
from table import Table, Target

_RATE, _JOBS, _EACH = 300.0, 3, 400
_FLEETS = {150: ("--slots", "6", "--service-mean", "40ms"), 900: ("--slots", "36", "--service-mean", "40ms")}
_STARTS = {"together": (0.0, 0.0, 0.0), "0/1/3 s": (0.0, 1.0, 3.0)}
_WAYS = {"split": 1.10, "host": 1.05, "redis": 1.05}
"""Each with the makespan that it must keep to."""
_COST_REQUESTS = 3000
_STARTS_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class _Scenario:
    capacity: int
    starts: str
    way: str


@dataclass(frozen=True, slots=True)
class _Course:
    succeeded: int
    arrived_1s: int
    sent_1s: int
    ratio: float
    peak_queue: int
    p95_ms: float


def measure_share(rounds: int, *, quick: bool) -> Table:
    """Play every way of sharing, on a small and on a large fleet, started together and apart."""
    scenarios = [_Scenario(fleet, starts, way) for fleet in _FLEETS for starts in _STARTS for way in _WAYS]
    with _redis() as url:
        courses = play_rounds(scenarios[-1:] if quick else scenarios, min(rounds, 3), lambda one: _play(one, url))
    rows, targets = [], []
    for scenario, played in courses.items():
        succeeded, sent = min(one.succeeded for one in played), max(one.sent_1s for one in played)
        arrived = median_of(played, lambda course: course.arrived_1s)
        ratio = median_of(played, lambda course: course.ratio)
        queue = median_of(played, lambda course: course.peak_queue)
        p95_ms = median_of(played, lambda course: course.p95_ms)
        figures = [f"{sent}", f"{arrived:.0f}", f"{ratio:.3f}", f"{queue:.0f}", f"{p95_ms:.0f}"]
        name, most = f"{scenario.capacity}/s, {scenario.starts}, {scenario.way}", _WAYS[scenario.way]
        rows.append([name, f"{succeeded:,} of {_JOBS * _EACH:,}", *figures])
        held = succeeded == _JOBS * _EACH and sent <= _RATE and arrived <= 1.01 * _RATE and ratio <= most
        held = held and queue <= 200 and p95_ms <= 200
        text = (
            f"{name}: sent ≤ 300 and arrived ≤ 303 in any second, makespan ≤ {most} × ideal, queue ≤ 200, p95 ≤ 200 ms"
        )
        targets.append(Target(text, " / ".join(figures), held))
    heads = [
        "fleet, starts, way",
        "succeeded",
        "most sent in 1 s",
        "arrived",
        "makespan ÷ ideal",
        "peak queue",
        "p95 ms",
    ]
    return Table(heads, rows, targets)


def measure_share_cost(rounds: int, *, quick: bool) -> Table:
    """Compare a job alone under 300/s with and without a share: CPU while it sends, start-up left out."""
    count = 300 if quick else _COST_REQUESTS

    def cpu_us(way: str) -> float:
        with tempfile.TemporaryDirectory() as home, fleet(*_FLEETS[900]) as base_url:
            job = _Job(Path(home), base_url, count, _share(way, url, Path(home).name))
            job.start()
            report = job.read()
        return float(report["generator"]["cpu"]) * float(report["duration_s"]) / count * 1e6

    with _redis() as url:
        costs = play_rounds(["alone", "host", "redis"], rounds, cpu_us)
    medians = {way: median_of(figures, float) for way, figures in costs.items()}
    alone_us = medians["alone"]
    more = {way: medians[way] / alone_us - 1 for way in ("host", "redis")}
    rows = [[way, f"{cost_us:.0f}", f"{cost_us / alone_us - 1:+.1%}"] for way, cost_us in medians.items()]
    targets = [Target(f"{way}: at most 5 % more CPU", f"{part:+.1%}", part <= 0.05) for way, part in more.items()]
    return Table(["share", "CPU µs/request at 300/s", "more"], rows, targets)


def _play(scenario: _Scenario, redis_url: str) -> _Course:
    with tempfile.TemporaryDirectory() as home, fleet(*_FLEETS[scenario.capacity]) as base_url:
        jobs = []
        for number, start_s in enumerate(_STARTS[scenario.starts], 1):
            share = _share(scenario.way, redis_url, Path(home).name)
            numbers = {"BURSTCTL_RUN_JOBS": str(_JOBS), "BURSTCTL_RUN_JOB": str(number)}
            folder = Path(home, str(number))
            folder.mkdir()
            jobs.append(_Job(folder, base_url, _EACH, share or numbers))
            jobs[-1].start_in(start_s)
        reports = [job.read() for job in jobs]
        sent_s = sorted(at_s for job, report in zip(jobs, reports, strict=True) for at_s in job.sent_s(report))
        stats = fetch(f"{base_url}/stats")
    starts = [_started_s(report) for report in reports]
    ended_s = max(start_s + report["duration_s"] for start_s, report in zip(starts, reports, strict=True))
    rates = [_RATE / _JOBS * (n + 1) if scenario.way == "split" else _RATE for n in range(_JOBS)]
    return _Course(
        succeeded=sum(report["succeeded"] for report in reports),
        arrived_1s=stats["max_arrivals_1s"],
        sent_1s=most_in_any_second(sent_s),
        ratio=(ended_s - min(starts)) / least_s(starts, _EACH, scenario.capacity, rates),
        peak_queue=stats["peak_queue"],
        p95_ms=max(report["latency_ms"]["p95"] for report in reports),
    )


def _share(way: str, redis_url: str, pipeline: str) -> dict[str, str]:
    """Give a job's environment; empty where it does not share live."""
    urls = {"host": "host", "redis": redis_url}
    return {"BURSTCTL_RUN_SHARE": urls[way], "BURSTCTL_SHARE_ID": pipeline} if way in urls else {}


def _started_s(report: Mapping[str, Any]) -> float:
    return datetime.fromisoformat(report["started_at"]).timestamp()


class _Job:
    """One `burstctl run` in a thread that waits for it."""

    def __init__(self, folder: Path, base_url: str, count: int, environment: Mapping[str, str]) -> None:
        request = {"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": count}
        document = {"target": {"base_url": base_url}, "rate_limit": f"{_RATE:.0f}/s", "requests": [request]}
        manifest = folder / "burst.json"
        manifest.write_text(json.dumps(document))
        self._report, self._attempts = folder / "report", folder / "attempts"
        command = [sys.executable, "-m", "burstctl", "run", str(manifest), "--progress", "off", "--quiet"]
        command += ["--report", f"json={self._report}", "--report", f"ndjson={self._attempts}"]
        self._timer = threading.Timer(0, run_pinned, (command,), {"environment": environment})

    def start(self) -> None:
        self.start_in(0)

    def start_in(self, delay_s: float) -> None:
        """Start after a while, not waiting for it."""
        self._timer.interval = delay_s
        self._timer.start()

    def read(self) -> dict[str, Any]:
        """Give its report once it has ended."""
        self._timer.join()
        report: dict[str, Any] = json.loads(self._report.read_text())
        return report

    def sent_s(self, report: Mapping[str, Any]) -> Sequence[float]:
        """Give its own stamps, on the wall clock."""
        start_s = _started_s(report)
        return [start_s + json.loads(line)["sent_s"] for line in self._attempts.read_text().splitlines()]


@contextlib.contextmanager
def _redis() -> Iterator[str]:
    """Run a Redis on a socket of its own; gives its URL."""
    home = Path(tempfile.mkdtemp())
    socket = home / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(home)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        give_up_s = time.monotonic() + _STARTS_WITHIN_S
        while not socket.exists():
            if time.monotonic() > give_up_s:
                raise RuntimeError("redis-server did not start")
            time.sleep(0.02)
        yield f"unix://{socket}"
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(home)
