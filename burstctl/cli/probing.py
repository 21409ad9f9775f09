"""What probes may use of the world: HTTP over connections of their own, commands in process groups of their own.

Nothing here is in any figure of the load.
"""

import asyncio
import contextlib
import functools
import os
import signal
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import httpx

from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts, Tls
from burstctl.probe.probe import Means, Output, ProbeError
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_carrier

T = TypeVar("T")

_TIMEOUTS = Timeouts(connect_s=5.0, first_byte_s=60.0, idle_s=60.0, total_s=60.0)
"""Wider than any probe's own time-out, which ends a reading."""
_MOST_OUTPUT = 64 * 2**10
_MOST_LINES = 10_000
_USER_AGENT = ("user-agent", "burstctl")


class Fetcher:
    """Gets URLs; a connection to each origin is kept."""

    def __init__(self, like: Target, clock: Clock) -> None:
        """TLS settings, a client certificate among them, go to the target's own origin only."""
        self._like = like
        self._clock = clock
        self._senders: dict[tuple[str, int], HttpSender] = {}

    async def fetch(self, url: str, headers: Mapping[str, str], most_bytes: int) -> bytes:
        """Get a URL's body; raises `ProbeError` for anything but a whole 2xx."""
        parsed = httpx.URL(url)
        names = {name.lower() for name in headers}
        own = [] if "user-agent" in names else [_USER_AGENT]
        request = Request(0, "probe", "GET", parsed.raw_path.decode("ascii"), (*own, *headers.items()))
        answer = await self._sender(parsed, most_bytes).send(request, most_bytes)
        if answer.fault is not None:
            raise ProbeError(f"{answer.fault}: {answer.detail}")
        if answer.status is None or not 200 <= answer.status < 300:
            raise ProbeError(f"status {answer.status}")
        return answer.body

    async def aclose(self) -> None:
        for sender in self._senders.values():
            await sender.aclose()

    def _sender(self, url: httpx.URL, most_bytes: int) -> HttpSender:
        origin = str(url.copy_with(path="/", query=None, fragment=None, userinfo=b""))
        key = origin, most_bytes
        if key not in self._senders:
            own = httpx.URL(self._like.base_url)
            same = (own.scheme, own.host, own.port) == (url.scheme, url.host, url.port)
            target = Target(origin, timeouts=_TIMEOUTS, tls=self._like.tls if same else Tls(), max_body=most_bytes)
            self._senders[key] = HttpSender(target, open_carrier(target, self._clock)[0], self._clock)
        return self._senders[key]


async def execute(arguments: Sequence[str]) -> str:
    """Run a command to its end; give its standard output. Cancellation ends it, with all that it started."""
    process = await _start(arguments)
    assert process.stdout is not None
    try:
        said = await process.stdout.read(_MOST_OUTPUT + 1)
        while len(said) <= _MOST_OUTPUT and (more := await process.stdout.read(_MOST_OUTPUT)):
            said += more
        if len(said) > _MOST_OUTPUT:
            raise ProbeError("the command says more than 64 KiB")
        code = await process.wait()
    finally:
        await _end(process)
    if code:
        raise ProbeError(f"the command ended with code {code}" if code > 0 else f"signal {-code} ended the command")
    return said.decode("utf-8", "replace")


async def follow(arguments: Sequence[str]) -> Output:
    """Start a command that goes on printing."""
    return _Following(await _start(arguments))


class _Following:
    """Collects lines; of more than anybody takes only the last ones are kept."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._lines: deque[str] = deque(maxlen=_MOST_LINES)
        self._ended = False
        self._task = asyncio.get_running_loop().create_task(self._collect())

    def lines(self) -> Sequence[str]:
        lines = list(self._lines)
        self._lines.clear()
        if not lines and self._ended:
            raise ProbeError("the command has ended")
        return lines

    async def aclose(self) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await _end(self._process)

    async def _collect(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        rest = b""
        while data := await stream.read(_MOST_OUTPUT):
            *lines, rest = (rest + data).split(b"\n")
            rest = rest[-_MOST_OUTPUT:]
            self._lines.extend(line.decode("utf-8", "replace") for line in lines)
        self._ended = True


async def _start(arguments: Sequence[str]) -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ProbeError(f"the command can't be started: {reason.lower()}") from error


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a command's whole group, whether or not its first process still runs."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def in_thread(call: Callable[[], T]) -> T:
    """Run what blocks on a thread."""
    return await asyncio.get_running_loop().run_in_executor(None, functools.partial(call))


def open_means(target: Target, clock: Clock) -> tuple[Means, Fetcher]:
    """Give what probes need; the fetcher is the caller's to close."""
    fetcher = Fetcher(target, clock)
    return Means(fetcher.fetch, execute, follow, clock.wall, in_thread), fetcher
