"""`burstctl dry-run` reads each probe once and says what it read, or why not; nothing else of a run's watching."""

import http.server
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from burstctl.probe import registry

from .conftest import BURSTCTL, CLEAN

Run = Callable[..., Any]

MANIFEST = """\
version: 1
target: {{base_url: "{url}"}}
requests: [{{name: a, path: /predict, count: 3}}]
probes:
{probes}
thresholds: [probe.queue.recovery < 60s]
"""
QUEUE = '  - {{name: queue, kind: prometheus, url: "{url}/metrics?token=litsecret", metric: queue_length}}\n'


class Peer:
    """Answers every GET with a queue's length that only grows, and counts what came."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        peer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                peer.asked.append(self.path)
                body = f"queue_length {len(peer.asked) + 100}\n".encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def peer() -> Iterator[Peer]:
    served = Peer()
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()


def write(folder: Path, url: str, *probes: str) -> str:
    entries = "".join([QUEUE.format(url=url), *(f"  - {one}\n" for one in probes)])
    (folder / "b.yaml").write_text(MANIFEST.format(url=url, probes=entries))
    return "b.yaml"


def test_each_probe_is_read_once_before_anything_is_sent_and_never_watched(
    burstctl: Run, tmp_path: Path, peer: Peer
) -> None:
    (tmp_path / "w.log").write_text("Queue size = 842\n")
    log = "{name: log, kind: log, file: w.log, pattern: 'Queue size = (?P<value>[0-9]+)'}"
    result = burstctl("dry-run", write(tmp_path, peer.url, log))
    assert result.code == 0, result.out
    assert peer.asked == ["/metrics?token=litsecret", "/predict"]
    said = " ".join(result.out.split())
    assert f"queue prometheus: url {peer.url}/metrics?token=***, metric queue_length read 101" in said
    assert "log log: pattern Queue size = (?P<value>[0-9]+), file w.log read 842" in said
    assert "litsecret" not in result.out + result.err


@pytest.mark.parametrize(("required", "code", "word"), [("false", 0, "PASS"), ("true", 1, "FAIL")])
def test_one_that_can_not_be_read_is_named_with_a_hint_and_fails_only_where_required(
    burstctl: Run, tmp_path: Path, peer: Peer, required: str, code: int, word: str
) -> None:
    dead = f"{{name: dead, kind: json, url: 'http://127.0.0.1:9/', pointer: /a, required: {required}}}"
    result = burstctl("dry-run", write(tmp_path, peer.url, dead))
    assert (result.code, result.out.split()[0]) == (code, word)
    said = " ".join(result.out.split())
    assert "not read connect: connection refused hint get the url from this machine" in said
    told = "the required probe dead can't be read: connect: connection refused"
    assert (told in said) == (required == "true")
    assert "1 of 1 sampled requests succeeded" in said


def test_commands_run_only_where_that_was_allowed_and_never_offline(burstctl: Run, tmp_path: Path, peer: Peer) -> None:
    command = "{name: cmd, kind: command, command: [sh, -c, 'touch ran; echo 7']}"
    name = write(tmp_path, peer.url, command)
    refused = burstctl("dry-run", name)
    offline = burstctl("dry-run", name, "--offline", "--allow-commands")
    assert (refused.code, offline.code) == (0, 0)
    assert not (tmp_path / "ran").exists()
    assert "not read it runs the command sh, which was not allowed hint --allow-commands" in " ".join(
        refused.out.split()
    )
    allowed = burstctl("dry-run", name, "--allow-commands")
    assert (tmp_path / "ran").exists()
    assert "read 7" in " ".join(allowed.out.split())


def test_offline_lists_them_and_reads_none(burstctl: Run, tmp_path: Path, peer: Peer) -> None:
    scaling = "{name: scaling, kind: aws-scaling, group: inference-asg, required: true}"
    result = burstctl("dry-run", write(tmp_path, peer.url, scaling), "--offline")
    assert (result.code, peer.asked) == (0, [])
    said = " ".join(result.out.split())
    assert "scaling aws-scaling, required: group inference-asg" in said
    assert "not read" not in said


def test_a_signal_while_one_hangs_ends_it_at_once(tmp_path: Path, peer: Peer) -> None:
    hangs = "{name: cmd, kind: command, command: [sh, -c, 'touch begun; sleep 50'], timeout: 60s}"
    name = write(tmp_path, peer.url, hangs)
    with subprocess.Popen(
        [*BURSTCTL, "dry-run", name, "--allow-commands"],
        cwd=tmp_path, env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        while not (tmp_path / "begun").exists():
            time.sleep(0.02)
        begun_s = time.monotonic()
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=40)
    assert time.monotonic() - begun_s < 25
    assert (process.returncode, out.split()[0]) == (143, "INTERRUPTED")
    assert "not read" not in out


def test_every_kind_has_a_hint() -> None:
    assert all(registry.load(name).HINT for name in registry.names())
