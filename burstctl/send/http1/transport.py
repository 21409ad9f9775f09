"""The httpx transport over one origin's pool of connections. Knows two time-outs, connect and pool; no others."""

import ssl
from collections.abc import Callable

import httpx

from burstctl.send.http1.dial import Dialer
from burstctl.send.http1.pool import Pool
from burstctl.send.http1.wire import RequestEncoder


class Http1Transport(httpx.AsyncBaseTransport):
    """Sends every request to the one origin that it was made for, whatever the request's URL says.

    A response's extensions hold `first_byte` and, once its body has ended, `last_byte`: when they came in, in seconds
    of `now`. No request goes out twice, not even where a connection that was kept open turns out to be closed: a second
    send is the caller's to pace and to count.
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

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        extensions, stream = request.extensions, request.stream
        body = b"".join(stream) if isinstance(stream, httpx.ByteStream) else await request.aread()
        target = extensions.get("target") or request.url.raw_path
        wire = self._encoder.encode(request.method, target, request.headers.raw, body)
        timeout = extensions.get("timeout", {})
        connect_s, pool_s = timeout.get("connect"), timeout.get("pool")
        connection = await self._pool.take(connect_s, pool_s)
        reply = connection.ask(wire, bodyless=request.method == "HEAD")
        await reply.head()
        if reply.status is None:
            assert reply.error is not None
            raise reply.error
        return httpx.Response(reply.status, headers=reply.headers, stream=reply, extensions=reply.extensions)

    async def aclose(self) -> None:
        await self._pool.aclose()
