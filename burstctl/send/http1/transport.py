"""HTTP/1.1 to one origin over one pool of connections, as httpx knows it and as a carrier of exchanges."""

import ssl
from collections.abc import Callable

import httpx

from burstctl.plan import Request
from burstctl.send.http1.dial import Dialer
from burstctl.send.http1.pool import Pool
from burstctl.send.http1.reply import Reply
from burstctl.send.http1.wire import RequestEncoder


class Http1Transport(httpx.AsyncBaseTransport):
    """Sends every request to the one origin that it was made for, whatever the request's URL says.

    It is an httpx transport, with httpx's errors, and can stand wherever one can. A run asks it directly instead:
    making httpx's requests, responses and headers costs more than all that is done here.

    No request goes out twice, not even where a connection that was kept open turns out to be closed: a second send is
    the caller's to pace and to count. Knows two time-outs, connect and pool; no others.
    """

    def __init__(
        self,
        origin: httpx.URL,
        tls: ssl.SSLContext | None,
        now: Callable[[], float],
        max_connections: int | None = None,
    ) -> None:
        port = origin.port or (80 if tls is None else 443)
        dialer = Dialer(origin.raw_host.decode("ascii"), port, tls, now)
        self._pool = Pool(dialer, now, max_connections)
        self._encoder = RequestEncoder(origin.netloc)

    async def ask(self, request: Request, connect_s: float) -> Reply:
        """Send a request of a plan; its answer is still to come."""
        wire = self._encoder.encode(request.method, request.target, request.headers, request.body)
        connection = self._pool.take_idle() or await self._pool.take(connect_s, None)
        return connection.ask(wire, bodyless=request.method == "HEAD")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request of httpx's; the response's stream is the `Reply`, with the times of its bytes."""
        stream = request.stream
        body = b"".join(stream) if isinstance(stream, httpx.ByteStream) else await request.aread()
        target = (request.extensions.get("target") or request.url.raw_path).decode("latin-1")
        wire = self._encoder.encode(request.method, target, request.headers.raw, body)
        timeout = request.extensions.get("timeout", {})
        connection = await self._pool.take(timeout.get("connect"), timeout.get("pool"))
        reply = connection.ask(wire, bodyless=request.method == "HEAD")
        while reply.status is None:
            await reply.more()
        extensions = {"http_version": reply.http_version.encode("ascii")}
        return httpx.Response(reply.status, headers=reply.headers, stream=reply, extensions=extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()
