"""The open connections to one origin: the one used last serves next. Knows nothing of what they carry."""

import asyncio
from collections.abc import Callable

import httpx

from burstctl.send.http1.connection import Connection
from burstctl.send.http1.dial import Dialer
from burstctl.send.http1.received import HeaderReader

_CLOSING_S = 1.0


class Pool:
    """Hands out connections, each to one request at a time, and takes them back."""

    def __init__(self, dialer: Dialer, now: Callable[[], float], max_connections: int | None) -> None:
        self._dialer = dialer
        self._now = now
        self._reader = HeaderReader()
        self._open: set[Connection] = set()
        self._idle: dict[Connection, None] = {}
        """A stack from whose middle one can be taken at no cost."""
        self._slots = asyncio.Semaphore(max_connections) if max_connections is not None else None
        """One for each request that has a connection or is about to get one."""
        self._closed = False
        self._emptied: asyncio.Event | None = None

    def take_idle(self) -> Connection | None:
        """Give the connection used last if one is idle and no cap is to be kept."""
        return self._idle.popitem()[0] if self._idle and self._slots is None else None

    async def take(self, connect_s: float | None, wait_s: float | None) -> Connection:
        """Give a connection that was idle, or a new one if none was.

        Raises `httpx.PoolTimeout` where the cap let nothing through in time, and what connecting raises.
        """
        if self._slots is not None:
            await self._wait_for_slot(self._slots, wait_s)
        if self._idle:
            return self._idle.popitem()[0]
        loop = asyncio.get_running_loop()
        try:
            return await self._dialer.connect(lambda: Connection(loop, self._now, self, self._reader), connect_s)
        except BaseException:
            self._release_slot()
            raise

    async def aclose(self) -> None:
        """Close every connection, also those in use."""
        self._closed = True
        self._emptied = asyncio.Event()
        for connection in list(self._open):
            connection.abort()
        try:
            async with asyncio.timeout(_CLOSING_S):
                while self._open:
                    self._emptied.clear()
                    await self._emptied.wait()
        except TimeoutError:
            return

    # The connections' side

    def opened(self, connection: Connection) -> None:
        self._open.add(connection)
        if self._closed:
            connection.abort()

    def done(self, connection: Connection, *, reusable: bool) -> None:
        if reusable:
            self._idle[connection] = None
        self._release_slot()

    def gone(self, connection: Connection) -> None:
        self._idle.pop(connection, None)

    def lost(self, connection: Connection) -> None:
        self._open.discard(connection)
        if self._emptied is not None:
            self._emptied.set()

    # Within

    async def _wait_for_slot(self, slots: asyncio.Semaphore, wait_s: float | None) -> None:
        try:
            async with asyncio.timeout(wait_s):
                await slots.acquire()
        except TimeoutError as error:
            raise httpx.PoolTimeout("no connection became free in time") from error

    def _release_slot(self) -> None:
        if self._slots is not None:
            self._slots.release()
