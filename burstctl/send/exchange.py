"""One HTTP exchange over any httpx transport: time-outs, decoding, bounds; every network fault becomes an answer."""

import math

import anyio
import httpx

from burstctl.attempt import Answer, Fault
from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts
from burstctl.send.decode import DecodeError, TooLargeError, decoder_for
from burstctl.send.fault import NETWORK_ERRORS, classify
from burstctl.send.template import RequestTemplate


class HttpSender:
    """Sends requests to one target. The transport is called directly: no client, cookies, redirects or hooks."""

    def __init__(self, target: Target, transport: httpx.AsyncBaseTransport, clock: Clock) -> None:
        self._target = target
        self._transport = transport
        self._clock = clock
        self._template = RequestTemplate(target)

    async def send(self, request: Request, keep_bytes: int) -> Answer:
        """Exchange one request; never raises for a network fault."""
        timeouts = request.timeouts or self._target.timeouts
        try:
            wire = self._template.build(request, timeouts.connect_s)
        except ValueError as error:
            return Answer(self._clock.now(), fault=Fault.REQUEST, detail=str(error))
        exchange = _Exchange(self._clock, timeouts, keep_bytes, self._target.max_body)
        return await exchange.run(self._transport, wire)

    async def aclose(self) -> None:
        await self._transport.aclose()


class _Exchange:
    """The state of one attempt on the wire."""

    __slots__ = (
        "_body",
        "_clock",
        "_first_byte_s",
        "_keep",
        "_limit",
        "_max_body",
        "_response",
        "_sent_s",
        "_timeouts",
    )

    def __init__(self, clock: Clock, timeouts: Timeouts, keep_bytes: int, max_body: int) -> None:
        self._clock = clock
        self._timeouts = timeouts
        self._keep = keep_bytes
        self._max_body = max_body
        self._sent_s = clock.now()
        self._first_byte_s: float | None = None
        self._response: httpx.Response | None = None
        self._body = bytearray()
        self._limit = ""
        """The time-out that is running."""

    async def run(self, transport: httpx.AsyncBaseTransport, wire: httpx.Request) -> Answer:
        timeouts = self._timeouts
        with anyio.CancelScope() as scope:
            self._arm(scope, timeouts.first_byte_s, f"no answer within first_byte {timeouts.first_byte_s:g} s")
            try:
                await self._receive(transport, wire, scope)
                return self._answer()
            except TooLargeError:
                return self._answer(Fault.TOO_LARGE, f"the body is larger than {self._max_body:,} bytes")
            except DecodeError:
                return self._answer(Fault.DECODE, "the body is not what its Content-Encoding says")
            except NETWORK_ERRORS as error:
                return self._answer(*classify(error))
        return self._answer(Fault.TIMEOUT, self._limit)

    async def _receive(
        self, transport: httpx.AsyncBaseTransport, wire: httpx.Request, scope: anyio.CancelScope
    ) -> None:
        idle_s = self._timeouts.idle_s
        self._response = response = await transport.handle_async_request(wire)
        self._first_byte_s = self._clock.now()
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        decoder = decoder_for(response.headers.get("content-encoding", ""), self._max_body)
        idle_limit = f"the answer stood still for idle {idle_s:g} s"
        try:
            self._arm(scope, idle_s, idle_limit)
            async for piece in stream:
                self._arm(scope, idle_s, idle_limit)
                decoded = decoder.feed(piece)
                if len(self._body) < self._keep:
                    self._body += decoded[: self._keep - len(self._body)]
            scope.deadline = math.inf
            if wire.method != "HEAD":
                decoder.finish()
        finally:
            await stream.aclose()

    def _arm(self, scope: anyio.CancelScope, seconds: float, limit: str) -> None:
        """Bound the next step, by its own time-out or by what is left of the total."""
        total_s = self._timeouts.total_s
        until_s, end_s = self._clock.now() + seconds, self._sent_s + total_s
        self._limit = limit if until_s < end_s else f"no whole answer within total {total_s:g} s"
        # A scope counts by the loop's clock, which need not be the run's.
        scope.deadline = anyio.current_time() + min(until_s, end_s) - self._clock.now()

    def _answer(self, fault: Fault | None = None, detail: str = "") -> Answer:
        response = self._response
        return Answer(
            done_s=self._clock.now(),
            first_byte_s=self._first_byte_s,
            status=response.status_code if response is not None and fault is None else None,
            fault=fault,
            detail=detail,
            headers=tuple((name.lower(), value) for name, value in response.headers.multi_items()) if response else (),
            body=bytes(self._body),
            http_version=_version(response),
        )


def _version(response: httpx.Response | None) -> str:
    raw = response.extensions.get("http_version", b"") if response is not None else b""
    return raw.decode("ascii", "replace") if isinstance(raw, bytes) else ""
