"""burstctl's default controller against simulated fleets in real time, as ratios to what the fleet allows."""

import json
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from process import run_pinned
from rounds import median_of, play_rounds
from servers import fetch, fleet
from table import Table, Target


@dataclass(frozen=True, slots=True)
class Scenario:
    """A fleet, and jobs that send `requests` in all; `ideal_s` by the moment the fleet had its first request."""

    name: str
    fleet: tuple[str, ...]
    requests: int
    ideal_s: Callable[[float], float]
    makespan: float = 1.05
    wasted: float = 0.03
    jobs: int = 1
    rate: str = "300/s"


@dataclass(frozen=True, slots=True)
class _Course:
    ratio: float
    peak_queue: int
    p95_ms: float
    wasted: float
    succeeded: int


def _fleet(capacity_rps: int, *options: str) -> tuple[str, ...]:
    mean_ms = 40
    return ("--slots", str(capacity_rps * mean_ms // 1000), "--service-mean", f"{mean_ms}ms", *options)


def _after(ideal_s: float) -> Callable[[float], float]:
    return lambda _first_s: ideal_s


SCENARIOS = (
    Scenario("S0 healthy, 350/s", _fleet(350), 1200, _after(4.0)),
    Scenario("S1b quota 150/s, bucket 15", _fleet(350, "--quota", "150/s:15"), 1200, _after(7.9), 1.10),
    Scenario("S2 150/s, 503 at a queue of 200", _fleet(150, "--queue-limit", "200"), 1200, _after(8.0)),
    Scenario("S3 150/s, queue without bound", _fleet(150), 1200, _after(8.0)),
    Scenario(
        "S4u 150/s, 300/s from 10 s on",
        _fleet(150, "--step", "10s:300"),
        6000,
        lambda first_s: (10 - first_s) + (6000 - 150 * (10 - first_s)) / 300,
    ),
    Scenario("S5s three jobs of 100/s, 150/s", _fleet(150), 1200, _after(8.0), 1.10, jobs=3, rate="100/s"),
    Scenario("S6 1 % random 500s", _fleet(350, "--error-rate", "1%"), 6000, _after(20.0)),
    Scenario(
        "S6b 1 % random 503s", _fleet(350, "--error-rate", "1%", "--error-status", "503"), 6000, _after(20.0), 1.08
    ),
)


def measure_fleet(rounds: int, *, quick: bool) -> Table:
    """Play every scenario in real time."""
    scenarios = SCENARIOS[:1] if quick else SCENARIOS
    courses = play_rounds(scenarios, min(rounds, 3), _play)
    rows, targets = [], []
    for scenario in scenarios:
        played = courses[scenario]
        ratio = median_of(played, lambda course: course.ratio)
        queue = median_of(played, lambda course: course.peak_queue)
        p95_ms = median_of(played, lambda course: course.p95_ms)
        wasted = median_of(played, lambda course: course.wasted)
        succeeded = min(course.succeeded for course in played)
        figures = [f"{ratio:.3f}", f"{queue:.0f}", f"{p95_ms:.0f}", f"{wasted:.2%}"]
        rows.append([scenario.name, f"{succeeded:,} of {scenario.requests:,}", *figures])
        held = succeeded == scenario.requests and ratio <= scenario.makespan and wasted <= scenario.wasted
        text = f"{scenario.name}: makespan ≤ {scenario.makespan} × ideal, queue ≤ 60, p95 ≤ 200 ms"
        text += f", wasted ≤ {scenario.wasted:.0%}"
        targets.append(Target(text, " / ".join(figures), held and queue <= 60 and p95_ms <= 200))
    return Table(["scenario", "succeeded", "makespan ÷ ideal", "peak queue", "p95 ms", "wasted"], rows, targets)


def _play(scenario: Scenario) -> _Course:
    with tempfile.TemporaryDirectory() as home, fleet(*scenario.fleet) as url:
        jobs = [_Job(scenario, url, Path(home) / f"{number}.json") for number in range(scenario.jobs)]
        for job in jobs:
            job.start()
        for job in jobs:
            job.join()
        stats = fetch(f"{url}/stats")
        reports = [job.read() for job in jobs]
    begun = [datetime.fromisoformat(report["started_at"]).timestamp() for report in reports]
    ended = [start_s + report["duration_s"] for start_s, report in zip(begun, reports, strict=True)]
    succeeded = sum(report["succeeded"] for report in reports)
    return _Course(
        ratio=(max(ended) - min(begun)) / scenario.ideal_s(stats["first_arrival_s"]),
        peak_queue=stats["peak_queue"],
        p95_ms=max(report["latency_ms"]["p95"] for report in reports),
        wasted=(sum(report["attempts"] for report in reports) - succeeded) / scenario.requests,
        succeeded=succeeded,
    )


class _Job:
    """One `burstctl run` in a thread that waits for it."""

    def __init__(self, scenario: Scenario, url: str, manifest: Path) -> None:
        count = scenario.requests // scenario.jobs
        request = {"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": count}
        manifest.write_text(json.dumps({"version": 1, "target": {"base_url": url}, "requests": [request]}))
        self._report = manifest.with_suffix(".report")
        command = [sys.executable, "-m", "burstctl", "run", str(manifest), "--rate-limit", scenario.rate]
        command += ["--progress", "off", "--quiet", "--report", f"json={self._report}"]
        self._thread = threading.Thread(target=run_pinned, args=(command,))
        self.start, self.join = self._thread.start, self._thread.join

    def read(self) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._report.read_text())
        return report
