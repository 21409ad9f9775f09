"""Real servers that burstctl's constants were not tuned for, and the means to send a burst to one of them."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
REQUESTS = 1200
STARTS_WITHIN_S = 15.0
ENDS_WITHIN_S = 60.0

NGINX = """
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events {{ worker_connections 2048; }}
http {{
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  limit_req_zone $binary_remote_addr zone=burst:1m rate={rate};
  server {{
    listen 127.0.0.1:{port};
    default_type application/json;
    location /predict {{
      {limit}
      {answer}
    }}
    location @answer {{ return 200 '{{"label": "ok"}}'; }}
  }}
}}
"""

ANSWER = 'try_files "" @answer;'
"""nginx's own: `return` alone would answer before the limit is looked at."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A server that runs."""

    url: str
    log: Path


@dataclass(frozen=True, slots=True)
class Judgement:
    """What burstctl reported of a burst."""

    report: dict[str, Any]
    output: str

    @property
    def wasted(self) -> float:
        """Attempts beyond one per request, as a share of the requests."""
        return float((self.report["attempts"] - REQUESTS) / REQUESTS)

    def timeline(self) -> str:
        """Show the run second by second, for the reader of a failed test."""
        columns = ("t", "sent", "succeeded", "failed", "status_429", "p95_ms", "rate", "window", "in_flight")
        rows = [" ".join(f"{second.get(name)!s:>9.9}" for name in columns) for second in self.report["timeline"]]
        heads = " ".join(f"{name:>9.9}" for name in columns)
        figures = {name: self.report[name] for name in ("attempts", "duration_s", "status", "faults", "generator")}
        return "\n".join(["", self.output, str(figures), heads, *rows])


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[..., Peer]]:
    """Start an nginx with a request rate, a `limit_req` line, and what answers (itself)."""
    program = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"]))
    if program is None:
        pytest.skip("nginx is not installed (apt-get install nginx-light)")
    with contextlib.ExitStack() as stack:

        def start(rate: str, limit: str, answer: str = ANSWER) -> Peer:
            port = _free_port()
            home = _home(tmp_path, port)
            (home / "nginx.conf").write_text(NGINX.format(rate=rate, limit=limit, answer=answer, port=port))
            arguments = [program, "-p", f"{home}/", "-c", "nginx.conf", "-e", "stderr"]
            return stack.enter_context(_serve(arguments, port, home))

        yield start


@pytest.fixture
def gunicorn(tmp_path: Path) -> Iterator[Callable[..., Peer]]:
    """Start gunicorn with uvicorn workers and an app of this folder, its settings as keywords."""
    with contextlib.ExitStack() as stack:

        def start(workers: int, app: str = "inference_app", **settings: str) -> Peer:
            port = _free_port()
            home = _home(tmp_path, port)
            arguments = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", "--workers", str(workers)]
            arguments += ["--worker-class", "uvicorn.workers.UvicornWorker", "--log-level", "error"]
            arguments += ["--worker-tmp-dir", str(home), "--chdir", str(ROOT), f"tests.judges.{app}:app"]
            return stack.enter_context(_serve(arguments, port, home, QUEUE_FILE=str(home / "queue"), **settings))

        yield start


@pytest.fixture
def send_burst(tmp_path: Path) -> Callable[[str], Judgement]:
    """Send a burst of 1,200 requests to a URL with burstctl's defaults."""

    def send(url: str) -> Judgement:
        manifest = {
            "version": 1,
            "target": {"base_url": url},
            "rate_limit": "300/s",
            "requests": [{"name": "predict", "path": "/predict", "json": {"text": "hello"}, "count": REQUESTS}],
        }
        (tmp_path / "burst.json").write_text(json.dumps(manifest))
        report = tmp_path / "report.json"
        command = [sys.executable, "-m", "burstctl", "run", "burst.json", "--seed", "1", "--report", f"json={report}"]
        result = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=ENDS_WITHIN_S, check=False
        )
        assert report.exists(), result.stderr
        return Judgement(json.loads(report.read_text()), result.stdout + result.stderr)

    return send


@contextlib.contextmanager
def _serve(arguments: Sequence[str], port: int, home: Path, **settings: str) -> Iterator[Peer]:
    """Run a server until the block is left; it is up when it takes connections."""
    log = home / "server.log"
    with log.open("wb") as sink:
        server = subprocess.Popen(arguments, env=os.environ | settings, cwd=home, stdout=sink, stderr=sink)
    try:
        give_up_s = time.monotonic() + STARTS_WITHIN_S
        while not _takes_connections(port):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < give_up_s, log.read_text()
            time.sleep(0.02)
        yield Peer(f"http://127.0.0.1:{port}", log)
    finally:
        server.terminate()
        server.wait(STARTS_WITHIN_S)


def _home(folder: Path, port: int) -> Path:
    home = folder / f"{port}"
    home.mkdir()
    return home


def _takes_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
