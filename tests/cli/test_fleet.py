"""The command as a pipeline uses it: a process that prints its URL, serves, and stops when told."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from burstctl.cli.fleet import command

FLEET = [sys.executable, "-m", "burstctl", "fleet"]


@contextmanager
def running(*options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        [*FLEET, "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().rstrip("\n")
    finally:
        process.kill()
        process.communicate()


def get(url: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urlopen(Request(url), timeout=10) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
    except HTTPError as error:
        with error:
            return error.code, {name.lower(): value for name, value in error.headers.items()}, error.read()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_url_serves_and_ends_cleanly_with_a_summary(number: signal.Signals) -> None:
    with running("--quota", "0.01:2", "--seed", "5") as (process, url):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
        assert [get(f"{url}/predict")[0] for _ in range(3)] == [200, 200, 429]
        process.send_signal(number)
        rest, summary = process.communicate(timeout=10)
    assert process.returncode == 0
    assert rest == ""
    assert re.fullmatch(
        r"3 arrivals, at most [1-3] in a second; peak queue 0\n"
        r"answers by status: 200: 2, 429: 1; 0 abandoned by their clients\n",
        summary,
    )


def test_options_and_environment_shape_the_fleet() -> None:
    settings = {"BURSTCTL_FLEET_STEP": "0:0\n1h:75/s", "BURSTCTL_FLEET_QUEUE_LIMIT": "0", "BURSTCTL_FLEET_SLOTS": "6"}
    with running("--retry-after", "3s", "--service-mean", "20ms", **settings) as (_, url):
        assert get(f"{url}/healthz")[0] == 503
        status, headers, _ = get(f"{url}/predict")
        assert (status, headers["retry-after"]) == (503, "3")
        assert json.loads(get(f"{url}/stats")[2])["slots"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--slots", "6", "--instances", "3"], "not both"),
        (["--slots", "6", "--rps-per-instance", "150"], "not both"),
        (["--service-mean", "40ms"], "needs --slots"),
        (["--overload", "queue", "--queue-limit", "5"], "has no bound"),
        (["--retry-after", "500ms"], "whole seconds"),
        (["--policy-header"], "needs a quota"),
        (["--quota", "fast"], "expected RATE[:BUCKET]"),
        (["--quota", "10:0"], "bucket must hold at least 1"),
        (["--quota", "10:"], "expected RATE[:BUCKET]"),
        (["--step", "75"], "expected T:RPS"),
        (["--step", "10s:-1"], "expected T:RPS"),
        (["--error-rate", "5"], "expected a share"),
        (["--rps-per-instance", "0"], "expected a positive number"),
        (["--service-mean", "soon"], "expected a duration"),
        (["--port", "70000"], "0<=x<=65535"),
    ],
)
def test_a_bad_option_is_a_usage_error_that_says_why(options: list[str], message: str) -> None:
    result = CliRunner().invoke(command, options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_port_in_use_is_one_clear_error() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = subprocess.run([*FLEET, "--port", str(port)], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.splitlines() == [
        f"Error: port {port} is in use",
        "Hint: choose another one, or 0 for a free one",
    ]


def test_help_tells_every_options_default_and_variable() -> None:
    text = " ".join(CliRunner().invoke(command, ["--help"], auto_envvar_prefix="BURSTCTL_FLEET").stdout.split())
    for parameter in command.params:
        variable = f"BURSTCTL_FLEET_{(parameter.name or '').upper()}"
        assert re.search(rf"env var: {variable}; default: ", text), variable


def test_help_loads_no_server() -> None:
    script = "import sys, burstctl.cli.fleet; print('asyncio' in sys.modules or 'httptools' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"False\n"
