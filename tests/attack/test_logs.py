"""What a log of a CI system gets: few lines, plain ones, whatever the environment says of terminals."""

import re
import time
from collections.abc import Callable
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


@pytest.mark.parametrize("options", [[], ["--progress=live"], ["--color=always"], ["--workers=2"]], ids=str)
def test_a_line_each_five_seconds_and_nothing_that_moves(
    burstctl: Run, mirror: Any, tmp_path: Path, options: list[str]
) -> None:
    (tmp_path / "burst.yaml").write_text(MANIFEST.format(url=mirror(answer).url))
    started_s = time.monotonic()
    done = burstctl("run", "burst.yaml", *options, env={"TERM": "xterm-256color", "CI": "true"})
    took_s = time.monotonic() - started_s
    assert done.code == 0, done.err
    assert 1 <= len(done.err.splitlines()) <= took_s // 5
    plain = SGR.sub(b"", done.out + done.err) if options == ["--color=always"] else done.out + done.err
    assert not {b"\x1b"[0], b"\r"[0]} & set(plain)
    assert len(done.out.splitlines()) < 80  # with 119 lines of ten minutes: less than 200
