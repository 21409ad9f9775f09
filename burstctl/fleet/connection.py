"""One HTTP/1.1 connection of the fleet's server: framing, order of answers, limits. Knows nothing of what is served."""

import asyncio
import math
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import cast

import httptools

from burstctl.clock import Clock
from burstctl.fleet.exchange import Exchange, Request, Response

MAX_HEAD = 64 * 2**10
MAX_BODY = 8 * 2**20
# Chunk sizes, extensions and trailers included: a peer may wrap each byte in a chunk of its own.
_MAX_MESSAGE = MAX_HEAD + 8 * MAX_BODY
_MAX_PIPELINED = 64

_IDLE_S = 75.0
_READ_S = 30.0
_WRITE_S = 30.0
_LINGER_S = 2.0


class HttpConnection(asyncio.Protocol):
    """Reads requests, hands each to `handle`, writes the answers in the requests' order.

    What can't be read is answered with 400, 413 or 431 and ends the connection.
    """

    def __init__(
        self, handle: Callable[[Exchange], None], clock: Clock, open_connections: "set[HttpConnection]"
    ) -> None:
        self._handle = handle
        self._clock = clock
        self._open = open_connections
        self._transport: asyncio.Transport
        self._parser = httptools.HttpRequestParser(self)
        self._exchanges: deque[Exchange] = deque()
        self._arrived: list[Exchange] = []
        self._input_ended = False
        self._fault: HTTPStatus | None = None
        self._writing_paused = False
        self._lingering = False
        self._deadline_s = math.inf
        self._read_deadline_s = math.inf
        self._expect_message()

    # The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports don't derive from asyncio's: they only look alike.
        self._transport = cast("asyncio.Transport", transport)
        self._open.add(self)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.discard(self)
        exchanges, self._exchanges = self._exchanges, deque()
        for exchange in exchanges:
            if exchange.response is None and exchange.on_gone is not None:
                exchange.on_gone()

    def data_received(self, data: bytes) -> None:
        if self._input_ended:
            return
        self._unread += len(data)
        self._parse(data)
        arrived, self._arrived = self._arrived, []
        for exchange in arrived:
            self._handle(exchange)
        if self._fault is not None:
            self._refuse(self._fault)
        self._throttle_reading()
        self._set_deadline()

    def pause_writing(self) -> None:
        self._writing_paused = True
        self._throttle_reading()
        self._set_deadline()

    def resume_writing(self) -> None:
        self._writing_paused = False
        self._throttle_reading()
        self._set_deadline()

    def end_if_overdue(self, now_s: float) -> None:
        """Drop the connection if its peer has been idle, slow to send or slow to read for too long."""
        if now_s >= self._deadline_s:
            self._transport.abort()

    def abort(self) -> None:
        self._transport.abort()

    # The parser's side; a callback only notes, since what it raises would pass for the peer's fault

    def on_message_begin(self) -> None:
        self._in_message = True
        self._read_deadline_s = self._clock.now() + _READ_S

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._in_head:
            return  # a trailer
        lowered = name.lower()
        if lowered == b"expect" and value.lower() == b"100-continue":
            self._continue_due = True
        elif lowered == b"content-length" and int(value) > MAX_BODY:
            self._fault = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._send_continue()

    def on_body(self, body: bytes) -> None:
        if self._fault is not None:
            return
        self._continue_due = False
        self._body += body
        if len(self._body) > MAX_BODY:
            self._fault = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def on_message_complete(self) -> None:
        if self._fault is not None or self._input_ended:
            return
        request = Request(self._parser.get_method().decode("ascii"), _path(self._url), bytes(self._body))
        close = not self._parser.should_keep_alive()
        exchange = Exchange(request, close=close, ready=self._flush)
        self._input_ended = close
        self._exchanges.append(exchange)
        self._arrived.append(exchange)
        self._expect_message()

    # Within

    def _expect_message(self) -> None:
        self._in_message = False
        self._in_head = True
        # In bytes, since the last whole request.
        self._unread = 0
        self._url = b""
        self._body = bytearray()
        self._continue_due = False

    def _parse(self, data: bytes) -> None:
        while data:
            try:
                self._parser.feed_data(data)
            except httptools.HttpParserUpgrade as upgrade:
                # An upgrade is an offer; it is declined by going on in HTTP/1.1.
                data = data[upgrade.args[0] :]
                continue
            except httptools.HttpParserError:
                if not self._input_ended:
                    self._fault = self._fault or HTTPStatus.BAD_REQUEST
            break
        if self._in_head and self._unread > MAX_HEAD:
            self._fault = self._fault or HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
        elif self._unread > _MAX_MESSAGE:
            self._fault = self._fault or HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def _refuse(self, status: HTTPStatus) -> None:
        self._input_ended = True
        exchange = Exchange(Request("", "", b""), close=True, ready=self._flush)
        self._exchanges.append(exchange)
        exchange.answer(Response(status, status.phrase.encode() + b"\n", "text/plain"))

    def _flush(self) -> None:
        while self._exchanges and (response := self._exchanges[0].response) is not None:
            exchange = self._exchanges.popleft()
            with_body = exchange.request.method != "HEAD"
            self._transport.write(response.encode(close=exchange.close, with_body=with_body, date_s=self._clock.wall()))
            if exchange.close:
                self._linger()
                return
        self._send_continue()
        self._throttle_reading()
        self._set_deadline()

    def _linger(self) -> None:
        # Closing at once with input unread would reset the connection, and the answer might never be read.
        self._lingering = True
        self._input_ended = True
        self._deadline_s = self._clock.now() + _LINGER_S
        if self._transport.can_write_eof():
            self._transport.write_eof()

    def _send_continue(self) -> None:
        if self._continue_due and not self._in_head and not self._exchanges and self._fault is None:
            self._continue_due = False
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _throttle_reading(self) -> None:
        if self._transport.is_closing():
            return
        if self._writing_paused or len(self._exchanges) >= _MAX_PIPELINED:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _set_deadline(self) -> None:
        if self._lingering:
            return
        now_s = self._clock.now()
        if self._writing_paused:
            self._deadline_s = now_s + _WRITE_S
        elif self._exchanges:
            self._deadline_s = math.inf
        elif self._in_message:
            self._deadline_s = self._read_deadline_s
        else:
            self._deadline_s = now_s + _IDLE_S


def _path(target: bytes) -> str:
    """Give the path of a request target, which may also be a whole URL; anything else is left as it is."""
    if not target.startswith(b"/"):
        try:
            target = httptools.parse_url(target).path or b"/"
        except httptools.HttpParserInvalidURLError:
            return target.decode("latin-1")
    return target.partition(b"?")[0].decode("latin-1")
