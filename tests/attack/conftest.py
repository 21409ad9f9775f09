"""What attacks share: a server that answers with raw bytes, and commands in a folder whose every output is kept."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..warm.client import Order, Warm, plain_environ, warmed

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


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warm]:
    """Keep a process from which commands are forked."""
    with warmed(tmp_path_factory.mktemp("warm")) as process:
        yield process


@pytest.fixture
def burstctl(warm: Warm, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Done]:
    """Run the command in the test's folder; a traceback is never an answer."""

    def run(*arguments: str, env: dict[str, str] | None = None) -> Done:
        streams = tmp_path_factory.mktemp("streams")
        out, err = streams / "out", streams / "err"
        with warm.start(Order(arguments, tmp_path, {**plain_environ(), **(env or {})}, out, err)) as command:
            code = command.wait()
        done = Done(code, out.read_bytes(), err.read_bytes())
        assert b"Traceback" not in done.out + done.err
        return done

    return run
