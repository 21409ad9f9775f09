"""Opens sockets to one origin: looks its name up, tries its addresses, shakes hands. Knows nothing of HTTP."""

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Any, TypeVar

import httpx

P = TypeVar("P", bound=asyncio.Protocol)
Address = tuple[socket.AddressFamily, socket.SocketKind, int, str, Any]

_HEAD_START_S = 0.25
"""How long one address is tried before the next one is, too (RFC 8305)."""
_NAME_HOLDS_S = 10.0
"""A burst opens hundreds of connections in a second; looking each up again would wait for the resolver."""


class Dialer:
    """Connects to one host and port, by TLS if there is a context for it."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None, now: Callable[[], float]) -> None:
        self._host = host
        self._port = port
        self._tls = tls
        self._now = now
        self._addresses: list[Address] = []
        self._looked_up_s = 0.0

    async def connect(self, protocol: Callable[[], P], within_s: float | None) -> P:
        """Give a protocol with an open connection; raises `httpx.ConnectTimeout` or `httpx.ConnectError`."""
        try:
            async with asyncio.timeout(within_s):
                return await self._connect(asyncio.get_running_loop(), protocol)
        except TimeoutError as error:
            raise httpx.ConnectTimeout("no connection in time") from error
        except (OSError, ExceptionGroup) as error:
            raise httpx.ConnectError(str(error)) from error

    async def _connect(self, loop: asyncio.AbstractEventLoop, protocol: Callable[[], P]) -> P:
        opened = await _open_any(loop, await self._look_up(loop))
        try:
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            name = self._host if self._tls is not None else None
            _, made = await loop.create_connection(protocol, sock=opened, ssl=self._tls, server_hostname=name)
        except BaseException:
            opened.close()
            raise
        return made

    async def _look_up(self, loop: asyncio.AbstractEventLoop) -> list[Address]:
        if not self._addresses or self._now() - self._looked_up_s > _NAME_HOLDS_S:
            try:
                self._addresses = [*await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)]
            except UnicodeError as error:
                raise socket.gaierror(socket.EAI_NONAME, "not a host name") from error
            self._looked_up_s = self._now()
        return self._addresses


async def _open_any(loop: asyncio.AbstractEventLoop, addresses: list[Address]) -> socket.socket:
    """Try addresses in their order, each with a head start; raises an `ExceptionGroup` if there were several."""
    if len(addresses) == 1:
        return await _open(loop, addresses[0])
    tries: set[asyncio.Task[socket.socket]] = set()
    winner: asyncio.Task[socket.socket] | None = None
    errors: list[Exception] = []
    left = list(addresses)
    try:
        while winner is None:
            if left:
                tries.add(loop.create_task(_open(loop, left.pop(0))))
            elif not tries:
                raise ExceptionGroup("no address could be reached", errors)
            head_start_s = _HEAD_START_S if left else None
            done, _ = await asyncio.wait(tries, timeout=head_start_s, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                error = task.exception()
                if error is None:
                    winner = winner or task
                elif isinstance(error, Exception):
                    tries.discard(task)
                    errors.append(error)
                else:
                    raise error
        return winner.result()
    finally:
        for task in tries - {winner}:
            task.cancel()
            task.add_done_callback(_drop)


async def _open(loop: asyncio.AbstractEventLoop, address: Address) -> socket.socket:
    family, kind, protocol, _, where = address
    opened = socket.socket(family, kind, protocol)
    try:
        opened.settimeout(0)
        await loop.sock_connect(opened, where)
    except BaseException:
        opened.close()
        raise
    return opened


def _drop(task: asyncio.Task[socket.socket]) -> None:
    """Close what came too late to be wanted."""
    if not task.cancelled() and task.exception() is None:
        task.result().close()
