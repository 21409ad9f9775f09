"""`--report ndjson` from outside: one line for every attempt, whoever sends, whoever reads, however the run ends."""

import json
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Fleet = Callable[..., Any]

MANIFEST = """\
version: 1
target:
  base_url: {url}
  headers: {{authorization: "Bearer ${{TOKEN:-none}}"}}
rate_limit: {{rate: 300/s, controller: fixed}}
requests:
  - {{name: predict, path: /predict, json: {{text: "hello"}}, count: {count}}}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., None]:
    def write(url: str, count: int) -> None:
        (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=url, count=count))

    return write


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Give the means to start a run that will not be left alone."""

    def start(*options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "burstctl", "run", "burst.yaml", "-q", *options]
        return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    return start


def wait_for(holds: Callable[[], bool], within_s: float = 20.0) -> None:
    until_s = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.05)


def lines_of(text: str) -> list[dict[str, Any]]:
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("workers", [1, 2])
def test_every_attempt_has_its_line_and_what_failed_can_be_sent_again(
    burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path, workers: int
) -> None:
    count, path = 300, tmp_path / "a.ndjson"
    options = ["--workers", str(workers), "--max-attempts", "2", "--report", "ndjson=a.ndjson", "--report", "json=-"]
    with fleet("--error-rate", "0.4") as running:
        write(running.url, count)
        result = burstctl("run", "burst.yaml", *options, env={"TOKEN": "canary-token-17"})
    report, lines = json.loads(result.out), lines_of(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "canary" not in path.read_text()
    assert len(lines) == report["attempts"]
    assert {line["schema"] for line in lines} == {"burstctl.attempt/1"}
    assert {line["index"] for line in lines} == set(range(count))
    assert Counter(str(line["status"]) for line in lines) == report["status"]
    assert sum(line["attempt"] > 1 for line in lines) == report["retries"]
    assert all(0 <= line["due_s"] <= line["sent_s"] <= line["done_s"] for line in lines)
    last = {line["index"]: line for line in lines}
    failed = {index for index, line in last.items() if not line["succeeded"]}
    assert len(failed) == report["failed"] > 0
    with fleet() as running:
        write(running.url, count)
        again = burstctl("run", "burst.yaml", "--only-failed", "a.ndjson", "--report", "ndjson=-")
    assert again.code == 0
    assert {line["index"] for line in lines_of(again.out)} == failed


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_leaves_what_it_knew(fleet: Fleet, write: Any, start: Any, tmp_path: Path, workers: int) -> None:
    path = tmp_path / "a.ndjson"
    with fleet() as running:
        write(running.url, 3000)
        process = start("--report", "ndjson=a.ndjson", "--workers", str(workers))
        wait_for(lambda: running.get("/stats")["arrivals"] > 200)
        process.kill()
        process.communicate()
        wait_for(lambda: running.get("/stats")["arrivals"] == running.get("/stats")["served"])
        arrived = running.get("/stats")["arrivals"]
    whole, _, _cut_off = path.read_text().rpartition("\n")
    lines = lines_of(whole + "\n")
    assert all(line["succeeded"] for line in lines)
    # What is missing was in flight, or has just come back.
    assert arrived - 30 <= len(lines) <= arrived


@pytest.mark.parametrize("workers", [1, 2])
def test_a_reader_that_stops_reading_does_not_stop_the_run(fleet: Fleet, write: Any, start: Any, workers: int) -> None:
    with fleet() as running:
        write(running.url, 900)  # three times as much as a pipe holds
        process = start("--report", "ndjson=-", "--workers", str(workers))
        wait_for(lambda: running.get("/stats")["arrivals"] == 900)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 0, err
    assert sorted(line["index"] for line in lines_of(out.decode())) == list(range(900))
    assert b"PASS" in err


def test_a_reader_that_is_gone_makes_the_verdict_inconclusive(fleet: Fleet, write: Any, start: Any) -> None:
    with fleet() as running:
        write(running.url, 100)
        process = start("--report", "ndjson=-")
        process.stdout.close()
        process.stdout = None
        _, err = process.communicate(timeout=20)
        assert running.get("/stats")["arrivals"] == 100
    assert process.returncode == 4
    assert b"a report could not be written: standard output: broken pipe" in err
    assert b"Traceback" not in err


def test_what_a_signal_cuts_off_is_told_as_well(fleet: Fleet, write: Any, start: Any, tmp_path: Path) -> None:
    with fleet("--step", "0:0") as running:  # it accepts and never answers
        write(running.url, 100)
        process = start("--report", "ndjson=a.ndjson", "--report", "json=r.json")
        wait_for(lambda: running.get("/stats")["arrivals"] == 100)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
    assert process.returncode == 143
    lines = lines_of((tmp_path / "a.ndjson").read_text())
    assert len(lines) == json.loads((tmp_path / "r.json").read_text())["attempts"] == 100
    assert {(line["fault"], line["cause"]) for line in lines} == {("cancelled", "cancelled: the run ended first")}


def test_a_full_disk_ends_the_log_and_not_the_run(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        write(running.url, 50)
        result = burstctl("run", "burst.yaml", "-q", "--report", "ndjson=/dev/full")
        assert running.get("/stats")["arrivals"] == 50
    assert (result.code, result.out) == (
        4,
        "INCONCLUSIVE  a report could not be written: /dev/full: no space left on device\n",
    )
