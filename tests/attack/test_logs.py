"""What a log of a CI system gets: few lines, plain ones, whatever the environment says of terminals."""

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
rate_limit: {{rate: 5/s, controller: fixed}}
retry: {{max_attempts: 1}}
requests: [{{name: predict, path: /predict, count: 56}}]
"""
SGR = re.compile(rb"\x1b\[[\d;]*m")


def answer(_head: bytes, _body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"


OPTIONS: tuple[list[str], ...] = ([], ["--progress=live"], ["--color=always"], ["--workers=2"])
Logged = tuple[Any, float]
"""What a command left, and how many seconds it took."""


@pytest.fixture
def logs(burstctl: Run, mirror: Any, tmp_path: Path) -> list[tuple[list[str], Logged]]:
    """Run a burst of eleven seconds with each of the options, all at once."""
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer).url))

    def run(options: list[str]) -> Logged:
        started_s = time.monotonic()
        done = burstctl("run", "burst.yaml", *options, env={"TERM": "xterm-256color", "CI": "true"})
        return done, time.monotonic() - started_s

    with ThreadPoolExecutor(len(OPTIONS)) as pool:
        return list(zip(OPTIONS, pool.map(run, OPTIONS), strict=True))


def test_a_line_each_five_seconds_and_nothing_that_moves(logs: list[tuple[list[str], Logged]]) -> None:
    for options, (done, took_s) in logs:
        assert done.code == 0, done.err
        assert 1 <= len(done.err.splitlines()) <= took_s // 5, options
        plain = SGR.sub(b"", done.out + done.err) if options == ["--color=always"] else done.out + done.err
        assert not {b"\x1b"[0], b"\r"[0]} & set(plain), options
        assert len(done.out.splitlines()) < 80, options  # with 119 lines of ten minutes: less than 200
