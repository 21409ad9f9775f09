"""One HTTP exchange: what came back, or why nothing did. Knows neither how it was sent nor what it is judged by."""

from dataclasses import dataclass
from enum import StrEnum

from burstctl.value import value


class Fault(StrEnum):
    """Why an attempt got no whole HTTP answer. The values are public: report keys and `retry.on` words."""

    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    RESET = "reset"
    """The connection broke after the request was sent and before the answer was whole."""
    PROTOCOL = "protocol"
    """What came back is not HTTP, or breaks its own framing."""
    DECODE = "decode"
    """The body is not what its Content-Encoding says."""
    TOO_LARGE = "too_large"
    """The body passed `max_body`, after decompression."""
    FILES = "files"
    """This process or machine has no file descriptor left."""
    PORTS = "ports"
    """This machine has no local port left."""
    REQUEST = "request"
    """The request itself can't be sent: a control character in its path or a header."""
    CANCELLED = "cancelled"
    """The run ended first."""


NO_CONNECTION = frozenset({Fault.DNS, Fault.CONNECT, Fault.TLS, Fault.FILES, Fault.PORTS})
"""Faults after which the server can't have seen the request: a retry is never ambiguous."""


@value
class Answer:
    """What one exchange brought; times in seconds of the run's clock."""

    done_s: float
    first_byte_s: float | None = None
    status: int | None = None
    fault: Fault | None = None
    detail: str = ""
    """What happened, for people; grouped on, so free of ports, addresses and times."""
    headers: tuple[tuple[str, str], ...] = ()
    """As received, names in lower case."""
    body: bytes = b""
    """As much of it as the request asked to keep, decoded."""
    http: str = ""
    """The version that the server spoke: `HTTP/1.1`."""
    tls: str = ""
    """`TLSv1.3`; empty without TLS, or where a carrier can't tell."""


@dataclass(frozen=True, slots=True)
class Quota:
    """A quota of requests as a server announced it in an answer's headers."""

    rate_per_s: float | None = None
    """What it lets through for ever."""
    usable: float | None = None
    """How many requests it lets through at once, beyond that rate."""
    reset_s: float | None = None
    """When a window of which nothing but `usable` is left begins anew; None for buckets, which fill by the rate."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something failed: `cause` groups like with like, `example` is one instance in full."""

    cause: str
    example: str = ""


@value
class Attempt:
    """An answer in its place: which request's, which try, when sent."""

    index: int
    """The request's place in the plan, from 0."""
    name: str
    number: int
    """1 for the first attempt of its request."""
    serial: int
    """This send's place among all sends of the run, from 0."""
    sent_s: float
    answer: Answer
    mismatch: Failure | None = None
    """How an answered attempt is not what was expected."""
    retry_after_s: float | None = None
    """How long the server asked to wait, counted from the end of the answer."""
    quota: Quota | None = None
    """What the server told of its quota."""

    @property
    def succeeded(self) -> bool:
        return self.answer.fault is None and self.mismatch is None

    @property
    def latency_s(self) -> float:
        return self.answer.done_s - self.sent_s
