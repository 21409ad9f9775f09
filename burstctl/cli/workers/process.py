"""A worker as its parent sees it: a fresh interpreter, a pipe to it, a pipe from it. Knows no message."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from burstctl.cli.workers.wire import Unpacker, pack
from burstctl.errors import UsageError

_WORKER = "burstctl.cli.workers.worker"


class Process:
    """One worker; `end` it in any case."""

    def __init__(self, kept: Sequence[int] = ()) -> None:
        """Start the interpreter, with descriptors that it keeps; `UsageError` where the machine has no room for it."""
        try:
            with _signals_held_back():
                self._popen = subprocess.Popen(  # noqa: S603 - our own program, no input of anybody else's
                    [sys.executable, "-P", "-m", _WORKER],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    bufsize=0,
                    pass_fds=kept,
                    env={**os.environ, "PYTHONPATH": _import_path()},
                )
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"can't start a worker: {reason}", hint="try fewer --workers") from error
        self._orders: asyncio.WriteTransport | None = None
        self._reports: asyncio.ReadTransport | None = None

    async def connect(self, take: Callable[[object], None], lost: Callable[[], None]) -> None:
        """Listen to it; `lost` is called when it will tell no more."""
        loop = asyncio.get_running_loop()
        self._orders, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, self._popen.stdin)
        self._reports, _ = await loop.connect_read_pipe(lambda: Unpacker(take, lost), self._popen.stdout)

    def send(self, order: object) -> None:
        """Write without waiting; what a process can't read any more is dropped."""
        if self._orders is not None and not self._orders.is_closing():
            self._orders.write(pack(order))

    def end(self) -> int:
        """End it, if it has not ended itself; return its exit code, or minus the signal that ended it."""
        self._popen.kill()
        for transport, pipe in ((self._orders, self._popen.stdin), (self._reports, self._popen.stdout)):
            if transport is not None:
                transport.close()
            elif pipe is not None:
                pipe.close()
        return self._popen.wait()


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Start what is started meanwhile deaf to a terminal's Ctrl-C, which reaches the whole process group.

    A worker hears of it from its parent, who knows of the grace. What arrives here meanwhile is not lost.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _import_path() -> str:
    """Give where this process imports from: a worker must find the same modules, and no others."""
    return os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
