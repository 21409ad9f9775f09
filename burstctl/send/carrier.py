"""The seam between an exchange and what carries it: a request goes out, an answer comes in piece by piece.

Both sides raise httpx's errors; neither knows time-outs, decoding or bounds.
"""

from collections.abc import Sequence
from typing import Protocol

from burstctl.plan import Request


class Incoming(Protocol):
    """An answer while it comes in."""

    @property
    def status(self) -> int | None:
        """None as long as the head is not in."""
        ...

    @property
    def received(self) -> Sequence[tuple[str, str]]:
        """Its headers, names in lower case; only to be asked for with the head in."""
        ...

    @property
    def first_byte_s(self) -> float | None:
        """When it began to come in; None where nobody noted it."""
        ...

    @property
    def last_byte_s(self) -> float | None:
        """When it was whole; None where nobody noted it."""
        ...

    @property
    def http_version(self) -> str:
        """As its status line names it, `HTTP/1.1`; only to be asked for with the head in."""
        ...

    @property
    def tls_version(self) -> str:
        """What its connection is encrypted by, `TLSv1.3`; empty if it isn't, or where nobody can tell."""
        ...

    @property
    def whole(self) -> bool:
        """Nothing more comes, though some of it may not have been taken."""
        ...

    def take(self) -> bytes:
        """Give what has come in of the body since the last call, as it was sent; empty if nothing has."""
        ...

    async def more(self) -> None:
        """Wait until more has come in; raises where it never will."""
        ...

    async def aclose(self) -> None:
        """Give up what has not come in."""
        ...


class Carrier(Protocol):
    """Sends to one target over connections of its own."""

    async def ask(self, request: Request, connect_s: float) -> Incoming:
        """Send a request, on a connection that takes at most `connect_s` to open. `ValueError`: it can't be sent."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...
