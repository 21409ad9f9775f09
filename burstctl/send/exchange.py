"""One HTTP exchange over any httpx transport: time-outs, decoding, bounds; every network fault becomes an answer."""

import math

import httpx

from burstctl.attempt import Answer, Fault
from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts
from burstctl.send.deadline import Deadline
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
            return Answer(self._clock.now(), fault=Fault.REQUEST, detail=f"the request can't be sent: {error}")
        exchange = _Exchange(self._clock, timeouts, keep_bytes, self._target.max_body)
        return await exchange.run(self._transport, wire)

    async def aclose(self) -> None:
        await self._transport.aclose()


class _Exchange:
    """The state of one attempt on the wire."""

    __slots__ = (
        "_body",
        "_clock",
        "_headers",
        "_keep",
        "_max_body",
        "_response",
        "_sent_s",
        "_timeouts",
        "_waits_from_s",
    )

    def __init__(self, clock: Clock, timeouts: Timeouts, keep_bytes: int, max_body: int) -> None:
        self._clock = clock
        self._timeouts = timeouts
        self._keep = keep_bytes
        self._max_body = max_body
        self._sent_s = self._waits_from_s = clock.now()
        """`_waits_from_s` is when the last piece came."""
        self._response: httpx.Response | None = None
        self._headers: tuple[tuple[str, str], ...] = ()
        self._body = bytearray()

    async def run(self, transport: httpx.AsyncBaseTransport, wire: httpx.Request) -> Answer:
        timeouts = self._timeouts
        with Deadline(self._clock, self._sent_s + min(timeouts.first_byte_s, timeouts.total_s)) as deadline:
            try:
                await self._receive(transport, wire, deadline)
                return self._answer()
            except TooLargeError:
                return self._answer(Fault.TOO_LARGE, f"the body is larger than {self._max_body:,} bytes")
            except DecodeError:
                return self._answer(Fault.DECODE, "the body is not what its Content-Encoding says")
            except NETWORK_ERRORS as error:
                return self._answer(*classify(error))
        return self._answer(Fault.TIMEOUT, self._broken_limit())

    async def _receive(self, transport: httpx.AsyncBaseTransport, wire: httpx.Request, deadline: Deadline) -> None:
        clock, idle_s, end_s = self._clock, self._timeouts.idle_s, self._sent_s + self._timeouts.total_s
        response = await transport.handle_async_request(wire)
        self._waits_from_s = clock.now()
        # When it came in, not when this task got to look: what lies between is not the server's doing.
        response.extensions.setdefault("first_byte", self._waits_from_s)
        self._response = response
        self._headers = tuple(response.headers.multi_items())
        stream = response.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        try:
            codings = ",".join([value for name, value in self._headers if name == "content-encoding"])
            decoder = decoder_for(codings, self._max_body)
            deadline.move(min(self._waits_from_s + idle_s, end_s))
            async for piece in stream:
                self._waits_from_s = clock.now()
                deadline.move(min(self._waits_from_s + idle_s, end_s))
                decoded = decoder.feed(piece)
                if len(self._body) < self._keep:
                    self._body += decoded[: self._keep - len(self._body)]
            deadline.move(math.inf)
            if wire.method != "HEAD":
                decoder.finish()
        finally:
            await stream.aclose()

    def _broken_limit(self) -> str:
        first_byte_s, idle_s, total_s = self._timeouts.first_byte_s, self._timeouts.idle_s, self._timeouts.total_s
        limit_s = first_byte_s if self._response is None else idle_s
        if self._waits_from_s + limit_s >= self._sent_s + total_s:
            return f"no whole answer within total {total_s:g} s"
        if self._response is None:
            return f"no answer within first_byte {first_byte_s:g} s"
        return f"the answer stood still for idle {idle_s:g} s"

    def _answer(self, fault: Fault | None = None, detail: str = "") -> Answer:
        response = self._response
        if response is None:
            return Answer(self._clock.now(), fault=fault, detail=detail)
        extensions = response.extensions
        return Answer(
            done_s=extensions.get("last_byte") or self._clock.now(),
            first_byte_s=extensions["first_byte"],
            status=response.status_code if fault is None else None,
            fault=fault,
            detail=detail,
            headers=self._headers,
            body=bytes(self._body),
        )
