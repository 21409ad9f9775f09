"""One answer while it comes in: filled by a connection, read by the one task that asked. Knows no bytes of HTTP."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Protocol

import httpx


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

    def __init__(self, source: Source, loop: asyncio.AbstractEventLoop, *, bodyless: bool) -> None:
        self.bodyless = bodyless
        """Whatever its headers say, as after HEAD."""
        self.status: int | None = None
        self.headers: list[tuple[bytes, bytes]] = []
        self.extensions: dict[str, Any] = {}
        self.error: httpx.TransportError | None = None
        self.buffered = 0
        """Bytes of the body that wait for the reader."""
        self._whole = False
        self._pieces: list[bytes] = []
        self._source = source
        self._loop = loop
        self._waiter: asyncio.Future[None] | None = None

    # The connection's side

    def add(self, piece: bytes) -> None:
        self._pieces.append(piece)
        self.buffered += len(piece)

    def end(self, error: httpx.TransportError | None = None) -> None:
        """Tell the reader that nothing more comes."""
        self.error = error
        self._whole = error is None
        self.wake()

    def wake(self) -> None:
        """Have the reader look at what came in."""
        waiter = self._waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    # The reader's side

    async def head(self) -> None:
        """Wait for status and headers, or for `error`."""
        while self.status is None and self.error is None:
            await self._wait()

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        pieces = self._pieces
        while not pieces:
            if self.error is not None:
                raise self.error
            if self._whole:
                raise StopAsyncIteration
            await self._wait()
        piece = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()
        self.buffered = 0
        if not self._whole and self.error is None:
            self._source.resume()
        return piece

    async def aclose(self) -> None:
        self._abandon()

    async def _wait(self) -> None:
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        except BaseException:
            self._abandon()
            raise
        finally:
            self._waiter = None

    def _abandon(self) -> None:
        # Once the answer is whole, its connection may already serve another one.
        if not self._whole and self.error is None:
            self._source.abort()
