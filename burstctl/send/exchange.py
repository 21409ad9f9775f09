"""One HTTP exchange over any carrier: time-outs, decoding, bounds; every network fault becomes an answer."""

import math

from burstctl.attempt import Answer, Fault
from burstctl.clock import Clock
from burstctl.plan import Request, Target, Timeouts
from burstctl.send.carrier import Carrier, Incoming
from burstctl.send.deadline import Deadline, Watch
from burstctl.send.decode import DecodeError, TooLargeError, decoder_for
from burstctl.send.fault import NETWORK_ERRORS, classify


class HttpSender:
    """Sends requests to one target."""

    __slots__ = ("_carrier", "_clock", "_max_body", "_timeouts", "_watch")

    def __init__(self, target: Target, carrier: Carrier, clock: Clock) -> None:
        self._timeouts = target.timeouts
        self._max_body = target.max_body
        self._carrier = carrier
        self._clock = clock
        self._watch = Watch(clock)

    async def send(self, request: Request, keep_bytes: int) -> Answer:
        """Exchange one request; never raises for a network fault."""
        timeouts = request.timeouts or self._timeouts
        exchange = _Exchange(self._clock, timeouts, keep_bytes, self._max_body)
        first_s = timeouts.first_byte_s if timeouts.first_byte_s < timeouts.total_s else timeouts.total_s
        with self._watch.until(exchange.sent_s + first_s) as deadline:
            try:
                await exchange.run(self._carrier, request, deadline)
                return exchange.answer()
            except TooLargeError:
                return exchange.answer(Fault.TOO_LARGE, f"the body is larger than {self._max_body:,} bytes")
            except DecodeError:
                return exchange.answer(Fault.DECODE, "the body is not what its Content-Encoding says")
            except NETWORK_ERRORS as error:
                return exchange.answer(*classify(error))
        return exchange.answer(Fault.TIMEOUT, exchange.broken_limit())

    async def aclose(self) -> None:
        self._watch.close()
        await self._carrier.aclose()


class _Exchange:
    """The state of one attempt on the wire."""

    __slots__ = (
        "_body",
        "_clock",
        "_head_s",
        "_incoming",
        "_keep",
        "_max_body",
        "_timeouts",
        "_waits_from_s",
        "sent_s",
    )

    def __init__(self, clock: Clock, timeouts: Timeouts, keep_bytes: int, max_body: int) -> None:
        self._clock = clock
        self._timeouts = timeouts
        self._keep = keep_bytes
        self._max_body = max_body
        self.sent_s = self._head_s = self._waits_from_s = clock.now()
        """`_waits_from_s` is when the last piece came."""
        self._incoming: Incoming | None = None
        """Set once its head is in."""
        self._body: list[bytes] = []

    async def run(self, carrier: Carrier, request: Request, deadline: Deadline) -> None:
        """Send a request and take its answer in."""
        now, idle_s, end_s = self._clock.now, self._timeouts.idle_s, self.sent_s + self._timeouts.total_s
        incoming = await carrier.ask(request, self._timeouts.connect_s)
        try:
            while incoming.status is None:
                await incoming.more()
            self._incoming = incoming
            self._head_s = self._waits_from_s = now()
            codings = [value for name, value in incoming.received if name == "content-encoding"]
            decoder = decoder_for(",".join(codings), self._max_body)
            while True:
                piece = incoming.take()
                if piece:
                    self._take(decoder.feed(piece))
                if incoming.whole:
                    break
                deadline.move(min(self._waits_from_s + idle_s, end_s))
                await incoming.more()
                self._waits_from_s = now()
            deadline.move(math.inf)
            if request.method != "HEAD":
                decoder.finish()
        finally:
            await incoming.aclose()

    def broken_limit(self) -> str:
        """Say which time-out ended it."""
        first_byte_s, idle_s, total_s = self._timeouts.first_byte_s, self._timeouts.idle_s, self._timeouts.total_s
        limit_s = first_byte_s if self._incoming is None else idle_s
        if self._waits_from_s + limit_s >= self.sent_s + total_s:
            return f"no whole answer within total {total_s:g} s"
        if self._incoming is None:
            return f"no answer within first_byte {first_byte_s:g} s"
        return f"the answer stood still for idle {idle_s:g} s"

    def answer(self, fault: Fault | None = None, detail: str = "") -> Answer:
        """Tell what came of it."""
        incoming = self._incoming
        if incoming is None:
            return Answer(self._clock.now(), None, None, fault, detail)
        return Answer(
            incoming.last_byte_s or self._clock.now(),
            # When it came in, where the carrier noted it, not when this task got to look.
            incoming.first_byte_s or self._head_s,
            incoming.status if fault is None else None,
            fault,
            detail,
            tuple(incoming.received),
            b"".join(self._body),
            incoming.http_version,
            incoming.tls_version,
        )

    def _take(self, decoded: bytes) -> None:
        if self._keep > 0 and decoded:
            self._body.append(decoded[: self._keep])
            self._keep -= len(decoded)
