"""Both sides of a burst from outside: probes of a simulated fleet, gated, watched by `verify`, and cut short."""

import json
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import BURSTCTL, CLEAN

Run = Callable[..., Any]
Fleet = Callable[..., Any]

MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
rate_limit: {rate_limit}
requests: [{{name: predict, path: /predict, json: {{text: hello}}, count: {count}}}]
probes:
  - {{name: queue, kind: prometheus, url: "{url}/metrics", metric: inference_queue_length, every: 200ms, {more}}}
thresholds: {thresholds}
"""
UNTHROTTLED = "{rate: 3000/s, controller: fixed}"


def write(
    folder: Path, url: str, thresholds: str, *, rate_limit: str = "300/s", count: int = 300, more: str = ""
) -> str:
    text = MANIFEST.format(url=url, rate_limit=rate_limit, count=count, thresholds=thresholds, more=more)
    (folder / "burst.yaml").write_text(text)
    return "burst.yaml"


@pytest.mark.parametrize(
    ("rate_limit", "threshold", "code", "status"),
    [
        ("300/s", "probe.queue.max <= 50", 0, "pass"),
        (UNTHROTTLED, "probe.queue.max <= 50", 1, "fail"),
        (UNTHROTTLED, "probe.queue.recovery < 30s", 0, "pass"),
        (UNTHROTTLED, "probe.queue.baseline == 0", 0, "pass"),
        (UNTHROTTLED, "probe.queue.readings > 1000", 1, "fail"),
    ],
)
def test_a_threshold_on_the_queue_gates_the_run(
    burstctl: Run, fleet: Fleet, tmp_path: Path, rate_limit: str, threshold: str, code: int, status: str
) -> None:
    with fleet() as running:
        manifest = write(tmp_path, running.url, f'["{threshold}"]', rate_limit=rate_limit)
        result = burstctl("run", manifest, "--report", "json=-")
        seen = running.get("/stats")
    report = json.loads(result.out)
    assert result.code == code, result.err
    [judged] = [one for one in report["thresholds"] if one["expression"] == threshold]
    assert judged["status"] == status
    probe = report["probes"]["queue"]
    assert probe["errors"] == 0
    assert probe["max"] <= seen["peak_queue"]
    assert "Probes" in result.err
    # What a probe asks for is no load.
    assert report["attempts"] == report["planned"] == 300


@pytest.mark.parametrize(("more", "code", "word"), [("", 4, "INCONCLUSIVE"), ("required: true", 1, "FAIL")])
def test_a_probe_that_never_answers_hurts_nothing_and_is_said(
    burstctl: Run, fleet: Fleet, tmp_path: Path, more: str, code: int, word: str
) -> None:
    with fleet() as running:
        name = write(tmp_path, running.url, '["probe.queue.max <= 5"]', count=30, more=more)
        text = (tmp_path / name).read_text().replace(f"{running.url}/metrics", "http://127.0.0.1:9/metrics")
        (tmp_path / name).write_text(text)
        result = burstctl("run", name)
    assert result.code == code
    assert result.out.startswith(f"{word}  probe.queue.max <= 5: no data: connect: connection refused")
    assert "30 of 30 requests succeeded" in result.out


def test_workers_leave_watching_to_their_parent(burstctl: Run, fleet: Fleet, tmp_path: Path) -> None:
    with fleet() as running:
        manifest = write(tmp_path, running.url, '["probe.queue.max <= 50"]')
        result = burstctl("run", manifest, "--workers", "2", "--report", "json=-")
    report = json.loads(result.out)
    assert (result.code, report["succeeded"]) == (0, 300)
    # Every 0.2 s for a second, from one process: not twice as many.
    assert 3 <= report["probes"]["queue"]["readings"] <= 12


def test_commands_run_only_where_that_was_allowed(burstctl: Run, fleet: Fleet, tmp_path: Path) -> None:
    with fleet() as running:
        name = write(tmp_path, running.url, '["probe.lines.max == 7"]', count=10)
        text = (tmp_path / name).read_text()
        probe = "  - {name: lines, kind: command, command: [sh, -c, 'touch ran; echo 7']}\n"
        (tmp_path / name).write_text(text.replace("thresholds:", f"{probe}thresholds:"))
        refused = burstctl("run", name)
        assert not (tmp_path / "ran").exists()
        assert (refused.code, refused.out) == (2, "")
        assert "the probe lines runs the command sh" in refused.err
        assert running.get("/stats")["arrivals"] == 0
        allowed = burstctl("run", name, "--allow-commands")
    assert allowed.code == 0, allowed.out + allowed.err
    assert (tmp_path / "ran").exists()


def test_a_signal_while_the_queue_recovers_ends_the_wait_and_is_told(tmp_path: Path, gauge: Any) -> None:
    manifest = write(tmp_path, gauge.url, "[]", count=5)
    gauge.on_request = gauge.rise
    with subprocess.Popen(
        [*BURSTCTL, "run", manifest, "--report", "json=out.json"],
        cwd=tmp_path,
        env=CLEAN,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = next(line for line in process.stderr if "waiting up to 60 s" in line)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=30)
    assert said.startswith("burstctl: probe queue is at 500")
    assert time.monotonic() - begun < 20  # of the 60 s that it would have waited
    assert process.returncode == 143
    report = json.loads((tmp_path / "out.json").read_text())
    assert (report["verdict"], report["succeeded"]) == ("interrupted", 5)
    assert out.startswith("INTERRUPTED")


def test_a_followed_queue_slows_a_run_whose_latency_hides_it(burstctl: Run, tmp_path: Path, gauge: Any) -> None:
    """Every request joins a queue that a worker behind the service empties at 40/s, however fast it answers."""
    done = threading.Event()

    def join() -> None:
        gauge.value += 1

    def work() -> None:
        while not done.wait(0.025):
            gauge.value = max(0, gauge.value - 1)

    gauge.on_request = join
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    reports = {}
    for name, rate_limit in (("free", "100/s"), ("kept", "{rate: 100/s, follow: queue, keep_under: 20}")):
        manifest = write(tmp_path, gauge.url, "[]", rate_limit=rate_limit, count=300, more="recovery: 1s")
        gauge.value = 0
        result = burstctl("run", manifest, "--report", "json=-", timeout=120)
        reports[name] = json.loads(result.out)
        assert result.code == 0
    done.set()
    assert reports["free"]["probes"]["queue"]["max"] > 120
    assert reports["kept"]["probes"]["queue"]["max"] < 60
    assert any("probe queue was above 20" in note for note in reports["kept"]["notes"])


def test_verify_watches_with_a_trickle(burstctl: Run, fleet: Fleet, tmp_path: Path) -> None:
    with fleet() as running:
        manifest = write(tmp_path, running.url, '["probe.queue.max <= 5", "p95 < 1s", "rate > 200", "p99 < 2s"]')
        result = burstctl("verify", manifest, "--for", "3s", "--rate", "10/s", "--report", "json=-")
        arrived = running.get("/stats")["arrivals"]
    report = json.loads(result.out)
    assert (report["planned"], report["succeeded"], arrived) == (30, 30, 30)
    assert report["rate"]["max_1s"] <= 10
    assert report["duration_s"] >= 2.5
    assert report["probes"]["queue"]["readings"] >= 5
    # 30 requests are too few for a p99, and it says how to get more.
    assert (result.code, report["verdict"]) == (4, "inconclusive")
    assert "the threshold rate > 200 is left out: it is about a burst" in report["notes"]
    assert "the threshold p99 < 2s needs 100 samples: lengthen --for" in report["notes"]


def test_verify_takes_its_reports_from_its_own_environment(burstctl: Run, fleet: Fleet, tmp_path: Path) -> None:
    with fleet() as running:
        manifest = write(tmp_path, running.url, "[]")
        environ = {"BURSTCTL_VERIFY_REPORT": "json=v.json", "BURSTCTL_VERIFY_FOR": "1s", "BURSTCTL_VERIFY_RATE": "5/s"}
        assert burstctl("verify", manifest, env=environ).code == 0
        assert json.loads((tmp_path / "v.json").read_text())["succeeded"] == 5
        assert burstctl("verify", manifest, "--for", "soon", env=environ).code == 2
    assert not (tmp_path / "v.json").exists()  # nothing stale stays for a run that could not begin
