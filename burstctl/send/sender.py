"""The seam between a run and the network: a request goes in, an answer or a fault comes out. Knows no protocol."""

from typing import Protocol

from burstctl.attempt import Answer
from burstctl.plan import Request


class Sender(Protocol):
    """Sends one request over connections of its own."""

    async def send(self, request: Request, keep_bytes: int) -> Answer:
        """Exchange one request; never raises for a network fault. Keeps that much of the body in the answer."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...
