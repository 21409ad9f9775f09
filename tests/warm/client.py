"""Runs burstctl in processes forked from a warm one (`server.py`): the real command, without a second of loading.

Streams are files or pipes, never terminals. What tests is how a process starts or is piped starts its own.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ENDS_WITHIN_S = 60.0


@dataclass(frozen=True, slots=True)
class Order:
    """A command, and the world it shall find itself in."""

    arguments: Sequence[str]
    folder: Path
    environ: Mapping[str, str]
    """All there is."""
    stdout: Path
    stderr: Path
    stdin: Path = Path(os.devnull)
    core: int | None = None
    """The only core it may use."""
    clock_step_s: float = 0.0
    """By how much the wall clock leaps half a second after its start."""


class Warm:
    """A warm process, by the socket where it takes orders."""

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    @contextlib.contextmanager
    def start(self, order: Order) -> Iterator["Running"]:
        """Start a command; it has ended when the block has, or is killed."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(ENDS_WITHIN_S)
            connection.connect(self._path)
            connection.sendall(_write(order))
            with connection.makefile("rb") as lines:
                running = Running(int(lines.readline()), lines.readline)
                try:
                    yield running
                except BaseException:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(running.process, signal.SIGKILL)
                    raise


class Running:
    """A command at work."""

    def __init__(self, process: int, ended: Callable[[], bytes]) -> None:
        self.process = process
        self._ended = ended

    def wait(self) -> int:
        """Wait for its end; gives its exit code, negative after a signal."""
        return os.waitstatus_to_exitcode(int(self._ended()))


@contextlib.contextmanager
def warmed(folder: Path) -> Iterator[Warm]:
    """Keep a warm process, its files in a folder of its own."""
    path = folder / "warm.sock"
    command = [sys.executable, str(Path(__file__).with_name("server.py")), str(path)]
    with subprocess.Popen(
        command, env=plain_environ(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        try:
            assert process.stdout is not None
            while (line := process.stdout.readline()).strip() != b"warm":
                assert line, "the warm process did not start"
            yield Warm(path)
        finally:
            process.kill()


def plain_environ() -> dict[str, str]:
    """Give this process's environment without what burstctl heeds of a CI system, or of its user."""
    heeded = ("BURSTCTL_", "INFERENCE_", "CI", "GITHUB_", "GITLAB_")
    return {name: value for name, value in os.environ.items() if not name.startswith(heeded)}


def _write(order: Order) -> bytes:
    told = {
        "arguments": list(order.arguments),
        "folder": str(order.folder),
        "environ": dict(order.environ),
        "stdin": str(order.stdin),
        "stdout": str(order.stdout),
        "stderr": str(order.stderr),
        "core": order.core,
        "clock_step_s": order.clock_step_s,
    }
    return json.dumps(told).encode() + b"\n"
