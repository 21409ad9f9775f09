"""Commands of probes, each in a process group that ends with it. Knows nothing of what they print."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Sequence
from typing import cast

from burstctl.probe.probe import Output, ProbeError

_MOST_OUTPUT = 64 * 2**10
_MOST_HELD = 2**20
"""Of a command that goes on; one that says more has to wait until it is taken."""
_DIES_WITHIN_S = 1.0
"""After being killed; one that hangs in the kernel is left behind."""


async def execute(arguments: Sequence[str]) -> str:
    """Run a command to its end; give its standard output. Cancellation ends it, with all that it started."""
    child = await _start(arguments, _MOST_OUTPUT + 1)
    try:
        while not child.pipe.ended and child.pipe.held <= _MOST_OUTPUT:
            await child.pipe.change()
        if child.pipe.held > _MOST_OUTPUT:
            raise ProbeError("the command says more than 64 KiB")
        code = await child.process.wait()
    finally:
        await child.aclose()
    if code:
        raise ProbeError(_words(code))
    return child.pipe.take().decode("utf-8", "replace")


async def follow(arguments: Sequence[str]) -> Output:
    """Start a command that goes on printing."""
    return await _start(arguments, _MOST_HELD)


class _Pipe(asyncio.Protocol):
    """What came through and was not taken yet; never much more than `most` bytes."""

    def __init__(self, most: int) -> None:
        self.ended = False
        self._most = most
        self._data = bytearray()
        self._changed = asyncio.Event()
        self._transport: asyncio.ReadTransport | None = None
        self._paused = False

    @property
    def held(self) -> int:
        return len(self._data)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.ReadTransport", transport)  # uvloop's are no subclass

    def data_received(self, data: bytes) -> None:
        self._data += data
        self._changed.set()
        if len(self._data) >= self._most and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self._changed.set()

    async def change(self) -> None:
        """Wait until something comes, or the end."""
        self._changed.clear()
        await self._changed.wait()

    def take(self) -> bytes:
        """Give what is there, and make room."""
        data = bytes(self._data)
        self._data.clear()
        if self._paused and self._transport is not None and not self.ended:
            self._paused = False
            self._transport.resume_reading()
        return data

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


class _Child:
    """A command and the pipe it prints to."""

    def __init__(self, process: asyncio.subprocess.Process, pipe: _Pipe) -> None:
        self.process = process
        self.pipe = pipe

    async def more(self, wait_s: float) -> bytes:
        """Give what it said since the last call, waiting so long for a first word."""
        if not self.pipe.held and not self.pipe.ended and wait_s > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.pipe.change(), wait_s)
        if not self.pipe.held and self.pipe.ended:
            raise ProbeError(_words(self.process.returncode))
        return self.pipe.take()

    async def aclose(self) -> None:
        """End the whole group, whether or not its first process still runs."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.pipe.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), _DIES_WITHIN_S)


async def _start(arguments: Sequence[str], most_held: int) -> _Child:
    # A pipe of our own: asyncio's counts as part of the process, which then never ends while some stranger holds it.
    ours, theirs = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=theirs,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        os.close(ours)
        reason = getattr(error, "strerror", None) or str(error)
        raise ProbeError(f"the command can't be started: {reason.lower()}") from error
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    pipe = _Pipe(most_held)
    child = _Child(process, pipe)
    try:
        await asyncio.get_running_loop().connect_read_pipe(lambda: pipe, os.fdopen(ours, "rb", 0))
    except BaseException:
        await child.aclose()
        raise
    return child


def _words(code: int | None) -> str:
    if not code:
        return "the command has ended"
    return f"the command ended with code {code}" if code > 0 else f"signal {-code} ended the command"
