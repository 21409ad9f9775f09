"""Small misbehaving servers on loopback, each a function over one connection."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
Serve = Callable[..., contextlib.AbstractAsyncContextManager[int]]


@contextlib.asynccontextmanager
async def serve_on_loopback(behave: Behaviour, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Serve `behave` on a free port until the end of the block."""
    tasks: set[asyncio.Task[None]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                await behave(reader, writer)
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Give the means to start a server."""
    return serve_on_loopback
