"""Stock httpx as the transport: one pool of one connection for each request in flight, never one pool for all.

httpcore's pool looks at all of its connections for every request: with hundreds in flight that costs more than the
network, and shows up as latency that the server never had. A lane is a pool of its own, so there is nothing to scan.
"""

from collections.abc import AsyncIterator

import anyio
import httpx

from burstctl.plan import Target
from burstctl.send.tls import ssl_context

_CLOSING_S = 1.0


class LaneTransport(httpx.AsyncBaseTransport):
    """Gives each request the lane used last, so that as few connections as possible are open."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._ssl = ssl_context(target)
        # The first one loads all of httpcore: better now than while the first request is due.
        self._idle = [self._open()]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        lane = self._idle.pop() if self._idle else self._open()
        try:
            response = await lane.handle_async_request(request)
        except httpx.LocalProtocolError as error:
            await _close(lane)
            # Its text quotes header values, and those may be secrets.
            raise httpx.LocalProtocolError("it breaks the rules of HTTP") from error
        except BaseException:
            await _close(lane)
            raise
        assert isinstance(response.stream, httpx.AsyncByteStream)
        response.stream = _LaneStream(self._idle, lane, response.stream)
        return response

    async def aclose(self) -> None:
        while self._idle:
            await _close(self._idle.pop())

    def _open(self) -> httpx.AsyncHTTPTransport:
        return httpx.AsyncHTTPTransport(
            verify=self._ssl,
            http2=self._target.http == "2",
            # Over TLS the server chooses; without it both sides must know beforehand.
            http1=self._target.http != "2" or self._target.base_url.startswith("https:"),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=60.0),
            # Only what the manifest names: no proxy from the environment.
            trust_env=False,
            proxy=self._target.proxy,
        )


class _LaneStream(httpx.AsyncByteStream):
    """A body that gives its lane back when it was read to its end, and closes it otherwise."""

    def __init__(
        self, idle: list[httpx.AsyncHTTPTransport], lane: httpx.AsyncHTTPTransport, stream: httpx.AsyncByteStream
    ) -> None:
        self._idle = idle
        self._lane = lane
        self._stream = stream
        self._whole = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            yield piece
        self._whole = True

    async def aclose(self) -> None:
        if self._whole:
            await self._stream.aclose()
            self._idle.append(self._lane)
        else:
            await _close(self._lane)


async def _close(lane: httpx.AsyncHTTPTransport) -> None:
    """Close a lane even while its request is being cancelled, in bounded time."""
    with anyio.CancelScope(shield=True), anyio.move_on_after(_CLOSING_S):
        await lane.aclose()
