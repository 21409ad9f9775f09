"""A run that ends early: every report there is is whole, can be read, and says why it ended."""

import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from burstctl.report.registry import names, streaming_names

Run = Callable[..., Any]

MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
rate_limit: {{rate: {rate}, controller: fixed}}
retry: {{max_attempts: 1}}
requests: [{{name: predict, path: /predict, count: {count}}}]
"""
ENDS = {
    "SIGTERM": (signal.SIGTERM, [], 143, "interrupted", "SIGTERM"),
    "SIGINT": (signal.SIGINT, [], 130, "interrupted", "SIGINT"),
    "deadline": (None, ["--deadline", "1s"], 1, "fail", "deadline"),
    "abort": (None, ["--abort", "failed > 10%"], 1, "fail", "failed > 10%"),
}
SILENT_ON_REASONS = {"csv", "k6-summary", "gitlab-dotenv", "openmetrics", "hdr", *streaming_names()}
"""Formats of figures: of the verdict they have a word at the most."""


def answer(status: bytes) -> Callable[[bytes, bytes], bytes]:
    return lambda _head, _body: b"HTTP/1.1 %s X\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}" % status


def reports() -> list[str]:
    return [word for name in (*names(), *streaming_names()) for word in ("--report", f"{name}=out.{name}")]


def check(name: str, text: str, verdict: str) -> None:
    """Read a whole report by its own reader."""
    if name in ("json", "k6-summary"):
        document = json.loads(text)
        assert name != "json" or document["verdict"] == verdict
    elif name in streaming_names():
        assert text.endswith("\n")
        assert all(json.loads(line)["schema"] for line in text.splitlines())
    elif name == "junit":
        assert ET.fromstring(text).find(".//testcase[@name='verdict']/*") is not None
    elif name == "openmetrics":
        families = text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
        assert any(one.labels == {"verdict": verdict} and one.value == 1 for f in families for one in f.samples)
    elif name == "gitlab-dotenv":
        assert f"BURSTCTL_VERDICT={verdict}\n" in text
    elif name == "csv":
        assert verdict in text


@pytest.mark.parametrize("end", ENDS)
def test_every_report_of_a_run_that_ends_early_is_whole_and_says_why(mirror: Any, tmp_path: Path, end: str) -> None:
    number, options, code, verdict, reason = ENDS[end]
    server = mirror(answer(b"500" if end == "abort" else b"200"))
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=server.url, rate="50/s", count=3000))
    command = [sys.executable, "-m", "burstctl", "run", "burst.yaml", *options, *reports()]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until_s = time.monotonic() + 30
    while number is not None and server.arrivals < 20:
        assert time.monotonic() < until_s
        time.sleep(0.02)
    if number is not None:
        process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code, err
    assert b"Traceback" not in out + err
    assert reason in out.decode()
    for name in (*names(), *streaming_names()):
        text = (tmp_path / f"out.{name}").read_text(encoding="utf-8")
        check(name, text, verdict)
        if name not in SILENT_ON_REASONS:
            assert reason in re.sub(r"&#62;|&gt;|\\u003e|%3E", ">", text).replace("&#37;", "%").replace("%25", "%"), (
                name
            )
    assert not list(tmp_path.glob(".out*"))


def test_a_path_that_cannot_be_written_is_named_before_anything_is_sent(
    burstctl: Run, mirror: Any, tmp_path: Path
) -> None:
    server = mirror(answer(b"200"))
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=server.url, rate="50/s", count=3))
    for name in (*names(), *streaming_names()):
        done = burstctl("run", "burst.yaml", "--report", f"{name}=nowhere/out.{name}")
        assert done.code == 2
        assert f"can't write nowhere/out.{name}" in done.err.decode()
    done = burstctl("run", "burst.yaml", "--responses", "nowhere/out")
    assert (done.code, b"nowhere/out" in done.err) == (2, True)
    assert server.arrivals == 0


FULL = """\
import resource, signal, sys
from burstctl.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (700, 700))
sys.exit(main(sys.argv[1:]))
"""


def test_a_disk_that_is_full_at_the_end_costs_the_reports_that_do_not_fit_and_no_other(
    mirror: Any, tmp_path: Path
) -> None:
    server = mirror(answer(b"200"))
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=server.url, rate="50/s", count=10))
    command = [sys.executable, "-c", FULL, "run", "burst.yaml", *reports()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert done.returncode == 4, done.stderr
    assert b"Traceback" not in done.stdout + done.stderr
    assert done.stdout.startswith(b"INCONCLUSIVE  a report could not be written: out.")
    assert b"10 of 10 requests succeeded" in done.stdout
    small = (tmp_path / "out.gitlab-dotenv").read_text()
    assert "BURSTCTL_VERDICT=inconclusive" in small
    assert "BURSTCTL_EXIT_CODE=4" in small
    # What does not fit is not there in parts, and not there from yesterday.
    assert not (tmp_path / "out.json").exists()
    assert not list(tmp_path.glob(".out*"))


@pytest.mark.parametrize("name", names())
def test_every_format_may_go_to_a_full_device(burstctl: Run, mirror: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer(b"200")).url, rate="50/s", count=3))
    other = "gitlab-dotenv" if name != "gitlab-dotenv" else "csv"
    done = burstctl("run", "burst.yaml", "--report", f"{name}=/dev/full", "--report", f"{other}=out")
    assert done.code == 4
    assert b"/dev/full: no space left on device" in done.out
    assert "inconclusive" in (tmp_path / "out").read_text()


@pytest.mark.parametrize(
    "command", [["run", "burst.yaml"], ["dry-run", "burst.yaml"], ["dry-run", "burst.yaml", "--offline"]]
)
def test_nobody_reads_and_nothing_breaks(mirror: Any, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer(b"200")).url, rate="50/s", count=3))
    line = f"{sys.executable} -m burstctl {' '.join(command)}"

    def run(sink: str) -> tuple[int, bytes]:
        script = f"{line} {sink}; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, timeout=60, check=False)
        return done.returncode, done.stderr

    sinks = ("| true", ">&-", "2>&-", "> /dev/full 2>&1")
    with ThreadPoolExecutor(len(sinks)) as pool:
        for sink, (code, err) in zip(sinks, pool.map(run, sinks), strict=True):
            assert (sink, code, b"Traceback" in err) == (sink, 0, False), err
