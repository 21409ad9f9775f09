"""What attacks share: a server that answers with raw bytes, and commands in a folder whose every output is kept."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("BURSTCTL_", "INFERENCE_", "CI"))}

Answer = Callable[[bytes, bytes], bytes]
"""From a request's head and body to all the bytes that go back."""


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    code: int
    out: bytes
    err: bytes


class Mirror:
    """Reads whole requests and answers each with whatever bytes it is told to; closes after each one."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.port = self._socket.getsockname()[1]
        self.arrivals = 0
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._socket.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # closed by the test
            while True:
                threading.Thread(target=self._serve, args=(self._socket.accept()[0],), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            data = b""
            while b"\r\n\r\n" not in data:
                if not (more := connection.recv(65536)):
                    return
                data += more
            head, _, body = data.partition(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")), 0
            )
            while len(body) < length and (more := connection.recv(65536)):
                body += more
            self.arrivals += 1
            connection.sendall(self._answer(head, body))


@pytest.fixture
def mirror() -> Iterator[Callable[[Answer], Mirror]]:
    """Start servers that answer as told."""
    servers: list[Mirror] = []

    def start(answer: Answer) -> Mirror:
        servers.append(Mirror(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def burstctl(tmp_path: Path) -> Callable[..., Done]:
    """Run the command in the test's folder; a traceback is never an answer."""

    def run(*arguments: str, env: dict[str, str] | None = None, stdin: bytes = b"") -> Done:
        process = subprocess.run(
            [sys.executable, "-m", "burstctl", *arguments],
            input=stdin,
            capture_output=True,
            cwd=tmp_path,
            env={**CLEAN, **(env or {})},
            timeout=60,
            check=False,
        )
        assert b"Traceback" not in process.stdout + process.stderr
        return Done(process.returncode, process.stdout, process.stderr)

    return run
