"""One answer while it comes in: filled by a connection, read by the one task that asked. Knows no bytes of HTTP."""

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import httpx

from burstctl.send.http1.received import HeaderReader


class Source(Protocol):
    """Where a reply comes from."""

    def resume(self) -> None:
        """Go on reading, if that was paused."""
        ...

    def abort(self) -> None:
        """Give up: nobody wants the rest."""
        ...


class Reply(httpx.AsyncByteStream):
    """Status, headers and then the body in pieces, as many at once as are there.

    Failures are stored, not set on futures: a reader that was cancelled in the same moment would leave them unseen.
    """

    __slots__ = (
        "_loop", "_pieces", "_read_headers", "_received", "_source", "_waiter", "bodyless", "buffered", "error",
        "first_byte_s", "headers", "http_version", "last_byte_s", "status",
        "tls_version", "whole",
    )  # fmt: skip

    def __init__(
        self, source: Source, loop: asyncio.AbstractEventLoop, reader: HeaderReader, *, bodyless: bool
    ) -> None:
        self.bodyless = bodyless
        """Whatever its headers say, as after HEAD."""
        self.status: int | None = None
        self.headers: list[tuple[bytes, bytes]] = []
        self.http_version = ""
        self.tls_version = ""
        self.first_byte_s: float | None = None
        self.last_byte_s: float | None = None
        self.error: httpx.TransportError | None = None
        self.whole = False
        self.buffered = 0
        """Bytes of the body that wait for the reader."""
        self._pieces: list[bytes] = []
        self._source = source
        self._loop = loop
        self._read_headers = reader.read
        self._received: tuple[tuple[str, str], ...] | None = None
        self._waiter: asyncio.Future[None] | None = None

    # The connection's side

    def add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self.buffered += len(piece)

    def end(self, error: httpx.TransportError | None = None) -> None:
        """Tell the reader that nothing more comes."""
        self.error = error
        self.whole = error is None
        self.wake()

    def wake(self) -> None:
        """Have the reader look at what came in."""
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    # The reader's side

    @property
    def received(self) -> tuple[tuple[str, str], ...]:
        if self._received is None:
            self._received = self._read_headers(self.headers)
        return self._received

    def take(self) -> bytes:
        pieces = self._pieces
        if not pieces:
            return b""
        piece = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self.buffered = 0
        if not self.whole and self.error is None:
            self._source.resume()
        return piece

    async def more(self) -> None:
        head_is_in = self.status is not None
        while not self.whole and not self._pieces and (head_is_in or self.status is None):
            if self.error is not None:
                raise self.error
            waiter = self._waiter = self._loop.create_future()
            try:
                await waiter
            except BaseException:
                await self.aclose()
                raise
            finally:
                self._waiter = None

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        await self.more()
        piece = self.take()
        if not piece:
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        # Once the answer is whole, its connection may already serve another one.
        if not self.whole and self.error is None:
            self._source.abort()
