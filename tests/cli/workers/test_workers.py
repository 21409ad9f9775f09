"""`burstctl run --workers` from outside: what several processes send is one run, whatever happens to any of them."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
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
rate_limit: {rate}
requests:
  - name: first
    path: /predict
    json: {{text: "hello", id: "${{uuid}}"}}
    count: {first}
  - name: second
    path: /predict
    json: {{text: "hello"}}
    count: {second}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write(url: str, count: int, rate: str = "300/s") -> str:
        second = count // 3
        (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=url, rate=rate, first=count - second, second=second))
        return "burst.yaml"

    return write


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Give the means to start a run that will not be left alone."""

    def start(*options: str, session: bool = False) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "burstctl", "run", "burst.yaml", "--report", "json=r.json", *options]
        return subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=session,
        )

    return start


def check(report: dict[str, Any]) -> dict[str, Any]:
    """Hold a report against what holds for every run."""
    for figures in (report, *report["requests"].values()):
        assert figures["planned"] == figures["succeeded"] + figures["failed"] + figures["unsent"]
        assert figures["attempts"] == figures["planned"] - figures["unsent"] + figures["retries"]
        assert figures["latency_ms"]["count"] == figures["succeeded"]
    assert report["rate"]["max_1s"] <= report["rate"]["ceiling"]
    return report


def report_of(result: Any) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(result.out)
    assert report["exit_code"] == result.code
    return check(report)


def children(parent: int) -> list[int]:
    """Find the live child processes of a process."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    return [int(pid) for pid, ppid, stat in rows if int(ppid) == parent and not stat.startswith("Z")]


def alive(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.startswith("Z")


def wait_for(holds: Callable[[], bool], within_s: float = 20.0) -> None:
    until_s = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until_s
        time.sleep(0.05)


@pytest.mark.parametrize(("workers", "rate"), [(2, 300), (3, 100)])
def test_everything_is_sent_once_under_one_ceiling(
    burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path, workers: int, rate: int
) -> None:
    count = 2 * rate + 1
    with fleet() as running:
        options = ["--workers", str(workers), "--responses", "a.ndjson", "--report", "json=-"]
        report = report_of(burstctl("run", write(running.url, count, f"{rate}/s"), *options))
        assert running.get("/stats")["arrivals"] == count
    assert (report["verdict"], report["succeeded"], report["status"]) == ("pass", count, {"200": count})
    assert report["rate"]["ceiling"] == rate
    assert report["rate"]["achieved"] >= 0.9 * rate
    assert report["settings"]["rate_limit"]["workers"] == workers
    assert sum(second["sent"] for second in report["timeline"]) == count
    assert sum(second["succeeded"] for second in report["timeline"]) == count
    assert report["timeline"][0]["rate"] == rate
    lines = [json.loads(line) for line in (tmp_path / "a.ndjson").read_text().splitlines()]
    assert sorted(line["index"] for line in lines) == list(range(count))
    # One run identity, and the index that a single process would have given.
    [run_id] = {line["id"].rpartition("-")[0] for line in lines}
    assert all(line["id"] == f"{run_id}-{line['index']}" for line in lines)
    names = ["first"] * (count - count // 3) + ["second"] * (count // 3)
    assert all(line["name"] == names[line["index"]] for line in lines)


def test_what_failed_is_told_and_can_be_sent_again(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--error-rate", "0.3", "--error-status", "404") as running:
        options = ["--workers", "2", "-v", "--responses", "a.ndjson", "--report", "json=-"]
        result = burstctl("run", write(running.url, 90), *options)
    first = report_of(result)
    assert result.code == 1
    assert len(re.findall(r"^failed: (?:first|second) #", result.err, re.MULTILINE)) == first["failed"] > 5
    with fleet() as running:
        options = ["--workers", "3", "--only-failed", "a.ndjson", "--report", "json=-"]
        again = report_of(burstctl("run", write(running.url, 90), *options))
        assert running.get("/stats")["arrivals"] == first["failed"]
    assert (again["planned"], again["succeeded"]) == (first["failed"], first["failed"])


def test_standard_input_is_read_once_for_all_and_the_environment_beats_it(burstctl: Run, fleet: Fleet) -> None:
    with fleet() as running:
        manifest = MANIFEST.format(url="${URL}", rate="{rate: 300/s, workers: 3}", first=5, second=2)
        for env, workers in (({}, 3), ({"BURSTCTL_RUN_WORKERS": "2"}, 2)):
            result = burstctl("run", "-", "--report", "json=-", stdin=manifest, env={"URL": running.url, **env})
            report = report_of(result)
            assert (report["succeeded"], report["settings"]["rate_limit"]["workers"]) == (7, workers)


def test_there_are_no_more_workers_than_work(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        manifest = write(running.url, 2)
        report = report_of(burstctl("run", manifest, "--workers", "5", "--report", "json=-"))
        assert report["notes"] == ["workers: 2 instead of 5, there are no more requests"]
        assert report["succeeded"] == 2
        options = ["--workers", "5", "--max-in-flight", "1", "--report", "json=-"]
        report = report_of(burstctl("run", manifest, *options))
        assert report["notes"] == ["workers: 1 instead of 5, there are no more requests in flight"]
        assert report["in_flight"]["max"] == 1
    result = burstctl("run", write("http://127.0.0.1:9", 0), "--workers", "2", "--report", "json=-")
    assert report_of(result)["verdict"] == "nothing"


def test_abort_is_judged_over_all_of_them(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--error-rate", "1") as running:
        options = ["--workers", "2", "--abort", "failed > 10%", "--report", "json=-"]
        result = burstctl("run", write(running.url, 3000), *options)
    report = report_of(result)
    assert (result.code, report["verdict"], report["ending"]) == (1, "fail", "aborted")
    assert report["unsent"] > 1500


def test_nobody_listening_is_unavailable(burstctl: Run, write: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        manifest = write(f"http://127.0.0.1:{taken.getsockname()[1]}", 1200)
        result = burstctl("run", manifest, "--workers", "2", "--report", "json=-")
        report = report_of(result)
        assert (result.code, report["verdict"]) == (3, "unavailable")
        # What was just being connected is cut off.
        assert {"connect"} <= set(report["faults"]) <= {"connect", "cancelled"}
        ready = f"http://127.0.0.1:{taken.getsockname()[1]}/=1s"
        result = burstctl("run", manifest, "--workers", "2", "--wait-ready", ready, "--report", "json=-")
    report = report_of(result)
    assert (result.code, report["unsent"], report["attempts"]) == (3, 1200, 0)


def test_the_deadline_holds_for_all_of_them(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        options = ["--workers", "2", "--deadline", "1s", "--report", "json=-"]
        result = burstctl("run", write(running.url, 900), *options)
    report = report_of(result)
    assert (result.code, report["ending"]) == (1, "deadline")
    assert 500 < report["unsent"] < 700


def test_files_that_a_worker_needs_are_refused_before_anything_is_sent(
    burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path
) -> None:
    with fleet() as running:
        manifest = write(running.url, 10)
        (tmp_path / "a.ndjson").mkdir()
        result = burstctl("run", manifest, "--workers", "2", "--responses", "a.ndjson")
        assert running.get("/stats")["arrivals"] == 0
    assert result.code == 2


@pytest.mark.parametrize("to_all", [False, True], ids=["to the parent", "to the whole group, as a terminal does"])
def test_a_signal_ends_the_run_with_grace(start: Any, fleet: Fleet, write: Any, tmp_path: Path, to_all: bool) -> None:
    with fleet() as running:
        write(running.url, 3000)
        with start("--workers", "2", session=True) as process:
            wait_for(lambda: running.get("/stats")["arrivals"] >= 100)
            workers = children(process.pid)
            assert len(workers) == 2
            (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
            out, err = process.communicate(timeout=20)
    report = check(json.loads((tmp_path / "r.json").read_text()))
    assert (process.returncode, report["verdict"]) == (130, "interrupted")
    assert report["failed"] == 0
    assert 0 < report["succeeded"] < 3000
    assert out.startswith("INTERRUPTED  ")
    assert err.count("no more requests") == 1
    assert "Traceback" not in err
    assert not any(map(alive, workers))


def test_a_second_signal_ends_all_at_once(start: Any, fleet: Fleet, write: Any, tmp_path: Path) -> None:
    with fleet("--step", "0:0") as running:  # no capacity: answers never come
        write(running.url, 60)
        with start("--workers", "2") as process:
            wait_for(lambda: running.get("/stats")["arrivals"] >= 4)
            workers = children(process.pid)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            process.stderr.readline()
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)
        assert (process.returncode, time.monotonic() - begun < 2) == (130, True)
        wait_for(lambda: not any(map(alive, workers)), 5)
    assert not (tmp_path / "r.json").exists()


def test_a_killed_worker_ends_the_run_and_is_accounted_for(
    start: Any, fleet: Fleet, write: Any, tmp_path: Path
) -> None:
    with fleet() as running:
        write(running.url, 3000)
        with start("--workers", "3") as process:
            wait_for(lambda: running.get("/stats")["arrivals"] >= 300)
            workers = children(process.pid)
            os.kill(workers[1], signal.SIGKILL)
            _, err = process.communicate(timeout=20)
    report = check(json.loads((tmp_path / "r.json").read_text()))
    assert (process.returncode, report["verdict"]) == (70, "internal")
    assert "worker 2 of 3 was killed by SIGKILL" in report["reasons"][0]
    assert report["succeeded"] > 100
    assert report["failed"] == report["faults"]["cancelled"] > 30
    assert report["unsent"] > 1500
    assert report["failures"][0]["cause"] == "cancelled: its worker was lost"
    assert "Traceback" not in err
    assert not any(map(alive, workers))


def test_no_worker_outlives_a_killed_parent(start: Any, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        write(running.url, 30_000)
        with start("--workers", "2") as process:
            wait_for(lambda: running.get("/stats")["arrivals"] >= 50)
            workers = children(process.pid)
            process.kill()
            process.communicate(timeout=20)
        wait_for(lambda: not any(map(alive, workers)), 5)
        sent = running.get("/stats")["arrivals"]
        time.sleep(0.3)
        assert running.get("/stats")["arrivals"] == sent


def test_one_worker_costs_nothing(fleet: Fleet, write: Any, tmp_path: Path) -> None:
    probe = """
import sys
from burstctl.cli.main import main
code = main(["run", "burst.yaml", "-q"])
print(code, [name for name in sys.modules if name.startswith(("burstctl.cli.workers", "burstctl.record.merge"))])
"""
    with fleet() as running:
        write(running.url, 3)
        command = [sys.executable, "-c", probe]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.splitlines()[-1] == "0 []"
