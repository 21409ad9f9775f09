"""Child processes on a core of their own, with what they cost. Knows nothing of what they do."""

import contextlib
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

CLIENT_CORE = 0
SERVER_CORE = 1
_STOPS_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended."""

    output: str
    errors: str
    code: int
    cpu_s: float
    wall_s: float
    peak_rss_mb: float


def run_pinned(
    arguments: Sequence[str],
    core: int = CLIENT_CORE,
    *,
    timeout_s: float = 120.0,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program on one core to its end; `RuntimeError` if it outlives its time or dies of a signal."""
    begun_s = time.monotonic()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(
            ["taskset", "-c", str(core), *arguments],
            env=os.environ | (environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
        )
        timer = threading.Timer(timeout_s, process.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        finally:
            timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        ended = Ended(
            output.read(),
            errors.read(),
            process.returncode,
            usage.ru_utime + usage.ru_stime,
            time.monotonic() - begun_s,
            usage.ru_maxrss / 1024,
        )
    if ended.code < 0:
        raise RuntimeError(f"{arguments[0]} ended by signal {-ended.code} after {ended.wall_s:.0f} s: {ended.errors}")
    return ended


@contextlib.contextmanager
def serve_pinned(arguments: Sequence[str], core: int = SERVER_CORE) -> Iterator[subprocess.Popen[str]]:
    """Run a server on one core until the block is left."""
    command = ["taskset", "-c", str(core), *arguments]
    server = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield server
    finally:
        server.terminate()
        try:
            server.wait(_STOPS_WITHIN_S)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        if server.stdout is not None:
            server.stdout.close()
