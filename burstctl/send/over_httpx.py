"""Carries exchanges over any httpx transport: stock httpx, or a mock in tests. Knows no time-outs but connect's."""

from collections.abc import AsyncIterator, Sequence

import httpx

from burstctl.plan import Request, Target
from burstctl.send.template import RequestTemplate


class HttpxCarrier:
    """Calls a transport directly: no client, cookies, redirects or hooks."""

    def __init__(self, target: Target, transport: httpx.AsyncBaseTransport) -> None:
        self._transport = transport
        self._template = RequestTemplate(target)

    async def ask(self, request: Request, connect_s: float) -> "HttpxAnswer":
        wire = self._template.build(request, connect_s)
        return HttpxAnswer(await self._transport.handle_async_request(wire))

    async def aclose(self) -> None:
        await self._transport.aclose()


class HttpxAnswer:
    """A response, read piece by piece."""

    first_byte_s: float | None = None
    last_byte_s: float | None = None

    def __init__(self, response: httpx.Response) -> None:
        assert isinstance(response.stream, httpx.AsyncByteStream)
        self.status: int | None = response.status_code
        self.received: Sequence[tuple[str, str]] = tuple(response.headers.multi_items())
        self.http_version: str = response.extensions.get("http_version", b"").decode("ascii", "replace")
        self.tls_version = _tls_version(response)
        self.whole = False
        self._stream = response.stream
        self._pieces: AsyncIterator[bytes] = aiter(response.stream)
        self._piece = b""

    def take(self) -> bytes:
        piece, self._piece = self._piece, b""
        return piece

    async def more(self) -> None:
        try:
            self._piece = await anext(self._pieces)
        except StopAsyncIteration:
            self.whole = True

    async def aclose(self) -> None:
        await self._stream.aclose()


def _tls_version(response: httpx.Response) -> str:
    """Ask the connection, where the transport shows it."""
    connection = response.extensions.get("network_stream")
    encrypted = None if connection is None else connection.get_extra_info("ssl_object")
    return (encrypted.version() or "") if encrypted is not None else ""
