"""Servers on loopback: how they take connections, or don't. What they reply is a nature's affair."""

import asyncio
import contextlib
import itertools
import re
import socket
import ssl
import struct
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

from .reply import Asked, Nature, Then, http

_INDEX = re.compile(rb"[?&]i=(\d+)")
_BEAT_S = 0.005
_HANDSHAKE = b"\x16"
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


@dataclass(slots=True)
class Visits:
    """What a server has seen."""

    url: str
    requests: int = 0
    late_s: float = 0.0
    """How late its loop was at worst: what it was slower than its nature, for want of a processor."""


class Server(Protocol):
    """Something to send a burst to."""

    def open(self) -> contextlib.AbstractAsyncContextManager[Visits]:
        """Be there for the length of a block."""
        ...


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that listens and replies by its nature."""

    nature: Nature
    tls: Callable[[], ssl.SSLContext] | None = None
    scheme: str = ""
    """What the URL says, where that isn't true."""
    slams: Callable[[int], bool] = lambda connection: False
    """Whether it resets that connection, counted from 0, at once."""

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Visits]:
        service = _Service(self)
        server = await asyncio.start_server(
            service.take, "127.0.0.1", 0, ssl=self.tls() if self.tls else None, backlog=1024
        )
        service.listener = server
        port = server.sockets[0].getsockname()[1]
        service.visits.url = f"{self.scheme or ('https' if self.tls else 'http')}://127.0.0.1:{port}"
        watching = asyncio.create_task(service.watch_itself())
        try:
            yield service.visits
        finally:
            watching.cancel()
            service.end()


class _Service:
    """One server at work."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self.visits = Visits("")
        self.listener: asyncio.Server | None = None
        self._connections = itertools.count()
        self._tries: Counter[int] = Counter()
        self._open: dict[asyncio.Task[None] | None, asyncio.StreamWriter] = {}
        self._start_s = asyncio.get_running_loop().time()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        self._open[task] = writer
        try:
            with contextlib.suppress(
                BrokenPipeError, ConnectionResetError, asyncio.IncompleteReadError, asyncio.CancelledError
            ):
                if self._serving.slams(next(self._connections)):
                    _reset(writer)
                else:
                    await self._converse(reader, writer)
        except ConnectionAbortedError:
            writer.write(http(400, b"this is plain HTTP"))
        finally:
            self._open.pop(task, None)
            writer.close()

    async def watch_itself(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + _BEAT_S
            await asyncio.sleep(_BEAT_S)
            self.visits.late_s = max(self.visits.late_s, loop.time() - due_s)

    def end(self) -> None:
        assert self.listener is not None
        self.listener.close()
        for task, writer in list(self._open.items()):
            _reset(writer)
            if task is not None:
                task.cancel()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            asked = await self._read(reader)
            reply = self._serving.nature(asked)
            await asyncio.sleep(reply.delay_s)
            writer.write(reply.data)
            await writer.drain()
            match reply.then:
                case Then.CLOSE:
                    return
                case Then.RESET:
                    _reset(writer)
                    return
                case Then.HANG:
                    await asyncio.Event().wait()
                case Then.DIE:
                    self.end()
                    return
                case Then.KEEP:
                    pass

    async def _read(self, reader: asyncio.StreamReader) -> Asked:
        start = await reader.readexactly(1)
        if start == _HANDSHAKE:  # a client that speaks TLS: servers of plain HTTP tell it so and hang up
            raise ConnectionAbortedError
        head = start + await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        await reader.readexactly(int(length[1]) if length else 0)
        target = head.split(b" ", 2)[1]
        found = _INDEX.search(target)
        index = int(found[1]) if found else -1
        self._tries[index] += 1
        arrival, self.visits.requests = self.visits.requests, self.visits.requests + 1
        at_s = asyncio.get_running_loop().time() - self._start_s
        return Asked(target.split(b"?")[0].decode(), index, arrival, self._tries[index], at_s)


@dataclass(frozen=True, slots=True)
class Nobody:
    """A port on which nobody listens."""

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Visits]:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            yield Visits(f"http://127.0.0.1:{taken.getsockname()[1]}")


@dataclass(frozen=True, slots=True)
class Deaf:
    """A listener that takes no connections: the first wait in its queue for ever, later ones knock in vain."""

    queue: int

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Visits]:
        with socket.create_server(("127.0.0.1", 0), backlog=self.queue) as listener:
            yield Visits(f"http://127.0.0.1:{listener.getsockname()[1]}")


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A name that no resolver knows (RFC 2606)."""

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[Visits]:
        yield Visits("http://inference.invalid")


def _reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection off with RST."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
