"""The command line as its users meet it: processes, a simulated fleet, files in a folder of their own."""

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

BURSTCTL = (sys.executable, "-m", "burstctl")
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("BURSTCTL_", "INFERENCE_", "CI"))}


@dataclass(frozen=True, slots=True)
class Result:
    """What a finished command left behind."""

    code: int
    out: str
    err: str

    def __post_init__(self) -> None:
        assert "Traceback" not in self.err + self.out


@dataclass(frozen=True, slots=True)
class FleetProcess:
    """A fleet that is running."""

    url: str

    def get(self, path: str, method: str = "GET") -> Any:
        connection = http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=10)
        try:
            connection.request(method, path)
            return json.loads(connection.getresponse().read() or b"null")
        finally:
            connection.close()


@contextlib.contextmanager
def start_fleet(*options: str) -> Iterator[FleetProcess]:
    """Run `burstctl fleet` for the length of a block."""
    with subprocess.Popen(
        [*BURSTCTL, "fleet", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=CLEAN,
    ) as process:
        assert process.stdout is not None
        try:
            yield FleetProcess(process.stdout.readline().strip())
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)


@pytest.fixture(scope="session")
def fleet() -> Callable[..., contextlib.AbstractContextManager[FleetProcess]]:
    """Give the means to start a fleet."""
    return start_fleet


@pytest.fixture
def burstctl(tmp_path: Path) -> Callable[..., Result]:
    """Run the command in a folder of its own."""

    def run(*arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None, timeout: float = 60) -> Result:
        process = subprocess.run(
            [*BURSTCTL, *arguments],
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**CLEAN, **(env or {})},
            timeout=timeout,
            check=False,
        )
        return Result(process.returncode, process.stdout.decode(), process.stderr.decode())

    return run


class Gauge:
    """A service that answers everything at once, with a queue that only rises when it is told to."""

    def __init__(self) -> None:
        self.value = 0
        gauge = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                body = f"inference_queue_length {gauge.value}\n".encode()
                self.send_response(200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                gauge.on_request()
                self.do_GET()

            def log_message(self, *arguments: object) -> None:
                """Say nothing."""

        self.on_request: Callable[[], None] = lambda: None
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def rise(self) -> None:
        self.value = 500


@pytest.fixture
def gauge() -> Iterator[Gauge]:
    served = Gauge()
    thread = threading.Thread(target=served.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield served
    served.server.shutdown()
    served.server.server_close()
