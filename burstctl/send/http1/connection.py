"""One HTTP/1.1 connection, client's side: writes a request, reads its answer. Knows neither pool nor time-outs."""

import asyncio
import ssl
from collections.abc import Callable
from typing import Protocol, cast

import httptools
import httpx

from burstctl.send.http1.ending import broken_off, may_end_here
from burstctl.send.http1.received import HeaderReader
from burstctl.send.http1.reply import Reply

MAX_HEAD = 64 * 2**10
"""Bytes of a header block; also of chunk lines or trailers in a row."""
MAX_HEADERS = 200
MAX_UNREAD = 256 * 2**10
"""Bytes of a body that may wait for their reader before reading pauses."""

_VERSIONS = {"1.0": "HTTP/1.0", "1.1": "HTTP/1.1"}
_WITHOUT_BODY = frozenset({204, 304})


class Owner(Protocol):
    """Who a connection tells what becomes of it."""

    def opened(self, connection: "Connection") -> None:
        """Its socket is connected."""
        ...

    def done(self, connection: "Connection", *, reusable: bool) -> None:
        """It is through with a request, once for each, and can serve the next one or not."""
        ...

    def gone(self, connection: "Connection") -> None:
        """It can serve no more."""
        ...

    def lost(self, connection: "Connection") -> None:
        """Its socket is closed."""
        ...


class Connection(asyncio.Protocol):
    """Serves one request after the other."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, now: Callable[[], float], owner: Owner, reader: HeaderReader
    ) -> None:
        self._loop = loop
        self._now = now
        self._owner = owner
        self._reader = reader
        self._transport: asyncio.Transport
        self._parser = httptools.HttpResponseParser(self)
        self._reply: Reply | None = None
        self._used = False
        self._gone = False
        self._early: list[bytes] = []
        """What came before the first request was sent."""
        self._cause: Exception | None = None
        self._paused = False
        self._tls_version = ""
        self._headers: list[tuple[bytes, bytes]]
        self._first_byte_s: float
        self._overhead: int
        """Bytes received since the last piece of a body."""
        self._fault: str | None
        self._complete: bool
        self._keep_alive: bool
        self._excess: bool
        """There was more than the answer."""
        self._parser_is_spent: bool
        """It waits for a body that does not come."""
        self._expect_answer()

    def ask(self, request: bytes, *, bodyless: bool) -> Reply:
        """Send a request; whatever goes wrong is in the reply."""
        self._reply = reply = Reply(self, self._loop, self._reader, bodyless=bodyless)
        self._expect_answer()
        if not self._gone:
            self._transport.write(request)
        if self._early:
            self.data_received(b"".join(self._early))
            self._early.clear()
        if self._gone and self._reply is not None:
            self._end(self._cause)
        return reply

    def resume(self) -> None:
        if self._paused:
            self._paused = False
            self._transport.resume_reading()

    def abort(self) -> None:
        """Give the connection up, whatever it is doing; its reader finds an error."""
        self._fail(httpx.ReadError("the connection was given up"))

    # The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one by its methods only
        encrypted: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        self._tls_version = (encrypted.version() or "") if encrypted is not None else ""
        self._owner.opened(self)

    def data_received(self, data: bytes) -> None:
        reply = self._reply
        if reply is None:
            if self._used:
                self.abort()  # nobody asked: a time-out's 408, or worse
            else:
                self._early.append(data)
            return
        self._overhead += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._complete:
                self._fail(httpx.RemoteProtocolError("the answer is not valid HTTP"), error)
                return
            self._excess = True
        if self._complete:
            self._finish(reply)
        elif self._fault is None and self._overhead > MAX_HEAD:
            self._fail(httpx.RemoteProtocolError("more than 64 KiB of header lines"))
        elif self._fault is not None:
            self._fail(httpx.RemoteProtocolError(self._fault))
        elif reply.status is not None:
            if reply.buffered > MAX_UNREAD and not self._paused:
                self._paused = True
                self._transport.pause_reading()
            reply.wake()

    def eof_received(self) -> None:
        self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end(exc)
        self._owner.lost(self)

    # The parser's side; a callback only notes, since what it raises would pass for the peer's fault

    def on_message_begin(self) -> None:
        if self._complete:
            self._excess = True
        else:
            self._first_byte_s = self._now()
            self._headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers.append((name, value))

    def on_headers_complete(self) -> None:
        reply, parser = self._reply, self._parser
        if reply is None or self._complete:
            return
        status, version = parser.get_status_code(), _VERSIONS.get(parser.get_http_version())
        headers, self._headers = self._headers, []  # what still comes are trailers
        if version is None or status < 100 or status == 101:
            self._fault = "a status or HTTP version that was not asked for"
        elif len(headers) > MAX_HEADERS:
            self._fault = f"more than {MAX_HEADERS} headers"
        elif self._overhead > MAX_HEAD and sum(len(name) + len(value) + 4 for name, value in headers) > MAX_HEAD:
            self._fault = "more than 64 KiB of header lines"
        elif status >= 200:
            reply.status, reply.headers = status, headers
            reply.http_version, reply.first_byte_s = version, self._first_byte_s
            reply.tls_version = self._tls_version
            if reply.bodyless or status in _WITHOUT_BODY:
                self._parser_is_spent = True
                self.on_message_complete()

    def on_body(self, body: bytes) -> None:
        reply = self._reply
        self._overhead = 0
        if reply is None or self._complete:
            self._excess = True
        elif reply.status is None:
            self._fault = "a body where none belongs"
        else:
            reply.add(body)

    def on_message_complete(self) -> None:
        reply = self._reply
        if reply is None or reply.status is None or self._complete or self._fault is not None:
            return
        self._complete = True
        self._keep_alive = self._parser.should_keep_alive()
        reply.last_byte_s = self._now()

    # Within

    def _expect_answer(self) -> None:
        self._headers = []
        self._first_byte_s = 0.0
        self._overhead = 0
        self._fault = None
        self._complete = False
        self._keep_alive = False
        self._excess = False
        self._parser_is_spent = False

    def _finish(self, reply: Reply) -> None:
        """Let the connection go before the reader wakes: the reply holds all that it needs."""
        self._reply = None
        self._used = True
        if self._paused:
            self.resume()
        # An answer that came before the request was wholly sent leaves the rest of it in between.
        unsent = self._transport.get_write_buffer_size()
        reusable = self._keep_alive and not self._excess and not self._gone and not unsent
        if not reusable:
            self._leave()
            self._transport.abort()
        elif self._parser_is_spent:
            self._parser = httptools.HttpResponseParser(self)
        self._owner.done(self, reusable=reusable)
        reply.end()

    def _fail(self, error: httpx.TransportError, cause: Exception | None = None) -> None:
        reply, self._reply = self._reply, None
        self._leave()
        self._transport.abort()
        if reply is not None:
            self._owner.done(self, reusable=False)
            error.__cause__ = cause
            reply.end(error)

    def _end(self, exc: Exception | None) -> None:
        """Take the end of what the peer sends: where nothing else marks it, that is the end of the body."""
        reply = self._reply
        if reply is None:
            self._cause = self._cause or exc
            self._leave()
        elif exc is None and may_end_here(reply):
            reply.last_byte_s = self._now()
            self._finish(reply)
        else:
            self._fail(broken_off(reply, exc, received=self._overhead > 0), exc)

    def _leave(self) -> None:
        if not self._gone:
            self._gone = True
            self._owner.gone(self)
