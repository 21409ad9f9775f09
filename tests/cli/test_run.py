"""`burstctl run` from outside: real processes against a simulated fleet, judged by report and exit code."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
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
  - name: predict
    path: /predict
    json: {{text: "hello"}}
    count: {count}
"""


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    def write(url: str, count: int = 60, rate: str = "300/s", more: str = "") -> str:
        (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=url, rate=rate, count=count) + more)
        return "burst.yaml"

    return write


def report_of(result: Any) -> dict[str, Any]:
    """Read the report that was sent to standard output; nothing else may stand there."""
    report: dict[str, Any] = json.loads(result.out, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert report["exit_code"] == result.code
    for figures in (report, *report["requests"].values()):
        assert figures["planned"] == figures["succeeded"] + figures["failed"] + figures["unsent"]
    return report


def test_a_good_burst_passes(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        result = burstctl("run", write(running.url, 300), "--report", "json=-", "--threshold", "p95 < 200ms")
        stats = running.get("/stats")
    report = report_of(result)
    assert (result.code, report["verdict"], report["succeeded"]) == (0, "pass", 300)
    assert report["rate"]["max_1s"] <= 300
    assert report["rate"]["achieved"] >= 290
    assert report["status"] == {"200": 300}
    assert stats["arrivals"] == 300
    assert stats["peak_queue"] < 20
    assert "PASS  300 of 300 requests succeeded" in result.err
    assert [threshold["status"] for threshold in report["thresholds"]] == ["pass"] * 3


def test_a_slow_fleet_is_protected_and_used_to_its_limit(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--instances", "1", "--rps-per-instance", "150", "--service-time", "fixed") as running:
        result = burstctl("run", write(running.url, 600), "--report", "json=-")
        stats = running.get("/stats")
    report = report_of(result)
    assert report["succeeded"] == 600
    assert stats["peak_queue"] <= 60
    assert report["duration_s"] <= 1.05 * 600 / 150


def test_a_quota_is_learnt_at_a_small_price(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--quota", "150/s:15", "--retry-after", "1s") as running:
        report = report_of(burstctl("run", write(running.url, 900), "--report", "json=-"))
    assert report["succeeded"] == 900
    assert report["duration_s"] <= 1.3 * (900 - 15) / 150
    assert report["retries"] <= 0.1 * 900
    assert report["attempts"] == 900 + report["retries"]


def test_a_broken_threshold_is_named_first(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--slots", "60", "--service-mean", "300ms") as running:
        result = burstctl("run", write(running.url), "--threshold", "p50 < 1ms")
    assert result.code == 1
    assert result.out.startswith("FAIL  p50 < 1ms: observed ")


def test_a_server_that_only_errs_fails_and_abort_spares_it(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--error-rate", "1") as running:
        manifest = write(running.url, 1200)
        result = burstctl("run", manifest, "--report", "json=-", "--abort", "failed > 10%")
        report = report_of(result)
        assert (result.code, report["verdict"], report["ending"]) == (1, "fail", "aborted")
        assert report["attempts"] < 1200
        result = burstctl("run", write(running.url, 20), "--report", "json=-", "--max-attempts", "3")
        report = report_of(result)
        assert (result.code, report["failed"], report["attempts"]) == (1, 20, 60)
        assert report["failures"][0]["cause"] == "status 500"


def test_nobody_listening_is_unavailable_soon_and_reported(burstctl: Run, write: Any) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        manifest = write(f"http://127.0.0.1:{taken.getsockname()[1]}", 1200)
        begun = time.monotonic()
        result = burstctl("run", manifest, "--report", "json=-")
        assert time.monotonic() - begun < 12
    report = report_of(result)
    assert (result.code, report["verdict"]) == (3, "unavailable")
    assert report["faults"] == {"connect": report["attempts"]}


def test_an_empty_plan_is_nothing_to_do(burstctl: Run, write: Any) -> None:
    result = burstctl("run", write("http://127.0.0.1:9", 0), "--report", "json=-")
    assert (result.code, report_of(result)["verdict"]) == (5, "nothing")


def test_the_deadline_fails_what_is_left(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        result = burstctl("run", write(running.url, 900), "--deadline", "1s", "--report", "json=-")
    report = report_of(result)
    assert (result.code, report["ending"]) == (1, "deadline")
    assert 500 < report["unsent"] < 700


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_and_its_report_is_whole(
    tmp_path: Path, fleet: Fleet, write: Any, number: signal.Signals, code: int
) -> None:
    with fleet() as running:
        command = [sys.executable, "-m", "burstctl", "run", write(running.url, 3000), "--report", "json=r.json"]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while running.get("/stats")["arrivals"] < 100:
                time.sleep(0.05)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
    report = json.loads((tmp_path / "r.json").read_text())
    assert (process.returncode, report["exit_code"], report["verdict"]) == (code, code, "interrupted")
    assert report["failed"] == 0
    assert report["planned"] == report["succeeded"] + report["unsent"]
    assert out.startswith("INTERRUPTED  ")
    assert "no more requests" in err


def test_a_second_signal_ends_at_once(tmp_path: Path, fleet: Fleet, write: Any) -> None:
    with fleet("--step", "0:0") as running:  # no capacity: answers never come
        command = [sys.executable, "-m", "burstctl", "run", write(running.url), "--report", "json=r.json"]
        with subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            while running.get("/stats")["arrivals"] < 10:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
            begun = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)
    assert process.returncode == 130
    assert time.monotonic() - begun < 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["burst.yaml"]


def test_what_failed_can_be_sent_again(burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path) -> None:
    with fleet("--error-rate", "0.3", "--error-status", "404") as running:
        first = report_of(burstctl("run", write(running.url, 100), "--responses", "a.ndjson", "--report", "json=-"))
    assert 10 < first["failed"] < 60
    lines = [json.loads(line) for line in (tmp_path / "a.ndjson").read_text().splitlines()]
    assert len(lines) == 100
    assert sum(line["outcome"] == "failed" for line in lines) == first["failed"]
    assert next(line["body"] for line in lines if line["status"] == 200)["label"] == "ok"
    with fleet() as running:
        again = report_of(burstctl("run", write(running.url, 100), "--only-failed", "a.ndjson", "--report", "json=-"))
        assert (again["planned"], again["succeeded"]) == (first["failed"], first["failed"])
        assert running.get("/stats")["arrivals"] == first["failed"]
        foreign = burstctl("run", write(running.url, 3), "--only-failed", "a.ndjson")
        clash = burstctl("run", write(running.url, 3), "--report", "json=x", "--responses", "x")
    assert clash.code == foreign.code == 2
    assert "was not made from this manifest" in foreign.err


def test_it_waits_until_the_target_is_ready(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--step", "0:0", "--step", "2:450") as running:
        ready = f"{running.url}/healthz=30s"
        report = report_of(burstctl("run", write(running.url), "--wait-ready", ready, "--report", "json=-"))
        assert report["verdict"] == "pass"
    with fleet("--step", "0:0") as running:
        ready = f"{running.url}/healthz=1s"
        result = burstctl("run", write(running.url), "--wait-ready", ready, "--report", "json=-")
        assert running.get("/stats")["arrivals"] == 0
    report = report_of(result)
    assert (result.code, report["verdict"], report["unsent"]) == (3, "unavailable", 60)
    assert "was not ready within 1.0 s: status 503" in report["reasons"][0]


def test_options_beat_the_environment_which_beats_the_manifest(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        manifest = write(running.url, 5, "100/s")
        env = {"BURSTCTL_RUN_RATE_LIMIT": "50/s", "BURSTCTL_RUN_THRESHOLD": "p50 < 9s\nattempts_per_request <= 1"}

        def ceiling(*options: str, env: dict[str, str]) -> tuple[float, int]:
            report = report_of(burstctl("run", manifest, "--report", "json=-", *options, env=env))
            return report["rate"]["ceiling"], len(report["thresholds"])

        assert ceiling(env={}) == (100, 2)
        assert ceiling(env=env) == (50, 4)
        assert ceiling("--rate-limit", "70/s", env=env) == (70, 4)
        assert ceiling(env={"BURSTCTL_RUN_RATE_LIMIT": ""}) == (100, 2)


def test_standard_input_is_a_manifest_too(burstctl: Run, fleet: Fleet) -> None:
    with fleet() as running:
        manifest = MANIFEST.format(url=running.url, rate=300, count=3)
        assert report_of(burstctl("run", "-", "--report", "json=-", stdin=manifest))["succeeded"] == 3


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "version: 1\n\ttarget: x\n", "version: 1\nversion: 1\n", "rate_limit: 300rps\n", "\x00\x01",
        "version: 1\nrequests: [{name: a, path: /, cuont: 3}]\n", '{"version": 1',
    ],
)  # fmt: skip
def test_a_bad_manifest_is_usage_and_spares_the_target(burstctl: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.yaml").write_text(text)
    (tmp_path / "r.json").write_text("stale")
    result = burstctl("run", "bad.yaml", "--report", "json=r.json")
    assert result.code == 2
    assert "bad.yaml" in result.err
    assert result.out == ""
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rate-limit", "0"], "more than 0"),
        (["--rate-limit", "1e9"], "expected a positive number"),
        (["--threshold", "p59 < 3ms"], "did you mean"),
        (["--threshold", "predcit: p95 < 3ms"], "predict"),
        (["--report", "jsn=x"], "expected one of"),
        (["--report", "json"], "FORMAT=PATH"),
        (["--report", "json=missing/x.json"], "missing/x.json"),
        (["--report", "json=burst.yaml"], "is an input"),
        (["--responses", "burst.yaml"], "is an input"),
        (["--abort", "p95 > 3s"], "expected a condition on"),
        (["--only", "predcit"], "predict"),
        (["--only-failed", "missing.ndjson"], "missing.ndjson"),
        (["--wait-ready", "nowhere"], "URL=DURATION"),
        (["--base-url", "ftp://x"], "http"),
        (["--deadline", "soon"], "expected a duration"),
        (["--nonsense"], "No such option"),
    ],
)
def test_a_bad_option_is_usage(burstctl: Run, write: Any, options: list[str], said: str) -> None:
    result = burstctl("run", write("http://127.0.0.1:9"), *options)
    assert result.code == 2
    assert said in " ".join(result.err.split())


def test_a_log_gets_plain_lines(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        result = burstctl("run", write(running.url, 20, "3/s"), "--progress", "lines", env={"CI": "true"})
    assert "\r" not in result.err + result.out
    assert "\x1b" not in result.err + result.out
    assert len(result.err.splitlines()) == 1
    assert "sent 1" in result.err


def test_colour_is_asked_for_or_not(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        manifest = write(running.url, 2)
        assert "\x1b[" in burstctl("run", manifest, "--color", "always").out
        assert "\x1b[" in burstctl("run", manifest, env={"FORCE_COLOR": "1"}).out
        assert "\x1b[" not in burstctl("run", manifest, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).out
        assert "\x1b[" not in burstctl("run", manifest).out


def test_quiet_is_one_line_and_verbose_names_what_fails(burstctl: Run, fleet: Fleet, write: Any) -> None:
    with fleet("--error-rate", "1", "--error-status", "404") as running:
        manifest = write(running.url, 3)
        quiet, verbose = burstctl("run", manifest, "-q"), burstctl("run", manifest, "-v")
    assert len(quiet.out.splitlines()) == 1
    assert quiet.err == ""
    assert verbose.err.count("failed: predict #") == 3
    assert "base_url: " in verbose.err


def test_no_secret_comes_out_anywhere(burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path) -> None:
    more = """\
  - name: secret
    path: /predict
    query: {key: "${QUERY_SECRET}"}
    headers: {x-api-key: "literal-canary-1", x-custom: "${HEADER_SECRET}"}
    json: {password: "${BODY_SECRET}"}
    expect: {json: {echo: nothing}}
"""
    secrets = {f"{where}_SECRET": f"canary-{where.lower()}-value" for where in ("QUERY", "HEADER", "BODY")}
    with fleet() as running:
        url = running.url.replace("http://", "http://user:canary-password@")
        options = ["-v", "--report", "json=r.json", "--responses", "a.ndjson"]
        result = burstctl("run", write(url, 2, more=more), *options, env=secrets)
    assert result.code == 1
    everything = result.out + result.err + (tmp_path / "r.json").read_text() + (tmp_path / "a.ndjson").read_text()
    assert "***" in everything
    assert "canary" not in everything


def test_a_reader_that_leaves_does_not_change_the_exit_code(tmp_path: Path, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        manifest = write(running.url, 5)
        for sink in ("| true", "> /dev/full", ">&-"):
            script = f"{sys.executable} -m burstctl run {manifest} --report json=r.json {sink}; exit ${{PIPESTATUS[0]}}"
            result = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert (sink, result.returncode, "Traceback" in result.stderr) == (sink, 0, False)
            assert json.loads((tmp_path / "r.json").read_text())["exit_code"] == 0


def test_a_report_that_is_lost_on_standard_output_makes_the_run_inconclusive(
    tmp_path: Path, fleet: Fleet, write: Any
) -> None:
    with fleet() as running:
        command = f"{sys.executable} -m burstctl run {write(running.url, 5)} --report json=- --report json=r.json"
        result = subprocess.run(
            ["bash", "-c", f"{command} > /dev/full"], cwd=tmp_path, capture_output=True, check=False
        )
    assert result.returncode == json.loads((tmp_path / "r.json").read_text())["exit_code"] == 4


def test_a_terminal_of_another_encoding_gets_escapes_instead_of_a_crash(
    burstctl: Run, fleet: Fleet, write: Any
) -> None:
    with fleet() as running:
        manifest = write(running.url, 5)
        for encoding in ("ascii", "cp1252"):
            assert burstctl("run", manifest, env={"PYTHONIOENCODING": encoding}).code == 0


def test_a_bad_value_from_the_environment_is_not_blamed_on_an_option(burstctl: Run, write: Any) -> None:
    result = burstctl("run", write("http://127.0.0.1:9"), env={"BURSTCTL_RUN_RATE_LIMIT": "3000rps"})
    assert result.code == 2
    assert "environment variable BURSTCTL_RUN_RATE_LIMIT" in result.err


def test_a_bad_variable_is_not_repeated(burstctl: Run, write: Any) -> None:
    result = burstctl("run", write("http://127.0.0.1:9"), "--var", "api-token=sk-live-canary")
    assert result.code == 2
    assert "canary" not in result.err


@pytest.mark.parametrize(
    "url",
    ["http://h/ready=5sec", "http://user:canary@h/", "http://host_é/", "nowhere", "http://h:99999/=5s"],
)
def test_a_bad_url_to_wait_for_is_usage(burstctl: Run, write: Any, url: str) -> None:
    result = burstctl("run", write("http://127.0.0.1:9"), "--wait-ready", url)
    assert result.code == 2


def test_what_failed_is_found_again_with_and_without_only(burstctl: Run, fleet: Fleet, write: Any) -> None:
    more = """\
  - name: other
    path: /predict
    json: {text: "b"}
    count: 5
    expect: {json: {label: wrong}}
"""
    with fleet() as running:
        manifest = write(running.url, 3, more=more)
        first = report_of(burstctl("run", manifest, "--only", "other", "--responses", "a", "--report", "json=-"))
        again = report_of(burstctl("run", manifest, "--only-failed", "a", "--report", "json=-"))
        both = report_of(burstctl("run", manifest, "--only-failed", "a", "--only", "other", "--report", "json=-"))
        none = report_of(burstctl("run", manifest, "--only-failed", "a", "--only", "predict", "--report", "json=-"))
    assert first["failed"] == again["planned"] == both["planned"] == 5
    assert (none["verdict"], none["exit_code"]) == ("nothing", 5)


def test_a_misspelt_variable_is_usage(burstctl: Run, write: Any) -> None:
    result = burstctl("run", write("${INFERENCE_URL:-http://127.0.0.1:9}"), "--var", "INFERNCE_URL=http://h")
    assert result.code == 2
    assert "INFERENCE_URL" in result.err


def test_a_mistyped_option_leaves_no_stale_report_and_no_other_file_less(
    burstctl: Run, write: Any, tmp_path: Path
) -> None:
    manifest = write("http://127.0.0.1:9", more="  - {name: rows, path: /p, data: rows.jsonl}\n")
    for name in ("r.json", "a.ndjson", "rows.jsonl"):
        (tmp_path / name).write_text("{}\n")
    outputs = ["--report", "json=r.json", "--report=json=rows.jsonl", "--report", f"json={manifest}"]
    result = burstctl("run", manifest, *outputs, "--responses", "a.ndjson", "--deadline", "soon")
    assert result.code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["burst.yaml", "rows.jsonl"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_while_the_manifest_is_read_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    os.mkfifo(tmp_path / "burst.yaml")
    command = [sys.executable, "-m", "burstctl", "run", "burst.yaml", "--report", "json=r.json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not [path for path in tmp_path.iterdir() if path.name.startswith(".r.json")]:
            time.sleep(0.02)
        process.send_signal(number)
        _, err = process.communicate(timeout=20)
    assert process.returncode == (130 if number == signal.SIGINT else 143)
    assert "burstctl: " in err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["burst.yaml"]


def test_sighup_ends_a_run_like_sigterm(tmp_path: Path, fleet: Fleet, write: Any) -> None:
    with fleet() as running:
        command = [sys.executable, "-m", "burstctl", "run", write(running.url, 3000), "--report", "json=r.json"]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            while running.get("/stats")["arrivals"] < 50:
                time.sleep(0.05)
            process.send_signal(signal.SIGHUP)
            process.communicate(timeout=20)
    assert process.returncode == json.loads((tmp_path / "r.json").read_text())["exit_code"] == 143


@pytest.mark.parametrize("arguments", [["schema", "manifest"], ["run", "--help"], ["--version"]])
def test_a_full_device_is_no_bug(arguments: list[str]) -> None:
    command = " ".join([sys.executable, "-m", "burstctl", *arguments, "> /dev/full"])
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "can't write the output" in result.stderr


def test_a_manifest_that_is_not_there_is_usage_whatever_its_name(burstctl: Run) -> None:
    assert burstctl("run", os.fsdecode(b"\xff.yaml"), "--report", "json=r.json").code == 2


def test_a_manifest_nested_beyond_sense_is_usage(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / "deep.yaml").write_text("json: " + "{a: " * 400 + "1" + "}" * 400)
    assert burstctl("run", "deep.yaml").code == 2


def test_no_secret_comes_out_of_a_row(burstctl: Run, fleet: Fleet, write: Any, tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text('{"t": "canary-row-1"}\n')
    more = """\
  - name: rows
    path: /predict
    data: rows.jsonl
    query: {api_key: "${row.t}"}
    headers: {authorization: "Bearer ${row.t}"}
    json: {text: "${row.t}"}
    expect: {json: {echo: nothing}}
"""
    with fleet() as running:
        options = ["-v", "--report", "json=r.json", "--responses", "a.ndjson"]
        result = burstctl("run", write(running.url, 1, more=more), *options)
    everything = result.out + result.err + (tmp_path / "r.json").read_text() + (tmp_path / "a.ndjson").read_text()
    assert result.code == 1
    assert "canary" not in everything


class LyingServer:
    """Answers every request with the same bytes and closes; counts the requests as they come."""

    def __init__(self, answer: bytes, keep_alive_for: int = 1) -> None:
        self._answer, self._keep = answer, keep_alive_for
        self.arrivals: list[float] = []
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=500)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed by the test
            while True:
                threading.Thread(target=self._serve, args=(self._socket.accept()[0],), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            for number in range(self._keep):
                if not connection.recv(65536):
                    return
                self.arrivals.append(time.monotonic())
                if number + 1 == self._keep > 1:
                    return  # the last one gets no answer
                connection.sendall(self._answer)

    def close(self) -> None:
        self._socket.close()


def test_an_answer_that_breaks_off_is_an_answer(burstctl: Run, write: Any) -> None:
    server = LyingServer(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
    with contextlib.closing(server):
        result = burstctl("run", write(server.url, 20), "--max-attempts", "2", "--report", "json=-")
    report = report_of(result)
    assert (result.code, report["verdict"], set(report["faults"])) == (1, "fail", {"reset"})


def test_connections_that_close_without_a_word_cost_attempts_and_never_the_ceiling(burstctl: Run, write: Any) -> None:
    server = LyingServer(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", keep_alive_for=2)
    with contextlib.closing(server):
        report = report_of(burstctl("run", write(server.url, 300, "200/s"), "--report", "json=-"))
    assert report["succeeded"] == 300
    assert report["attempts"] == len(server.arrivals)
    assert report["retries"] > 50
    arrivals = sorted(server.arrivals)
    assert max(sum(t - 1 < other <= t for other in arrivals) for t in arrivals) <= 206  # 200, and a receiver's jitter
