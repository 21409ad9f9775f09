"""Small misbehaving servers on loopback, each a function over one connection, and the ways to ask them."""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

import pytest
import uvloop

from burstctl.attempt import Answer
from burstctl.clock import clock_of
from burstctl.plan import Request, Target
from burstctl.send.carrier import Carrier
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_carrier
from burstctl.send.over_httpx import HttpxCarrier
from burstctl.send.stock import LaneTransport

T = TypeVar("T")

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


@dataclass(frozen=True, slots=True)
class Client:
    """A transport on an event loop."""

    stock: bool
    loop_factory: Callable[[], asyncio.AbstractEventLoop]

    def run(self, main: Coroutine[Any, Any, T]) -> T:
        """Run to the end; whatever is left unhandled on the loop fails the test."""
        unhandled: list[dict[str, Any]] = []
        with asyncio.Runner(loop_factory=self.loop_factory) as runner:
            runner.get_loop().set_exception_handler(lambda _, context: unhandled.append(context))
            result = runner.run(main)
        assert unhandled == []
        return result

    def open(self, target: Target) -> Carrier:
        if self.stock:
            return HttpxCarrier(target, LaneTransport(target))
        return open_carrier(target, clock_of(asyncio.get_running_loop()))[0]

    def sender(self, target: Target) -> HttpSender:
        return HttpSender(target, self.open(target), clock_of(asyncio.get_running_loop()))

    async def ask(
        self, target: Target, request: Request, times: int = 1, keep_bytes: int = 1 << 20, pause_s: float = 0
    ) -> list[Answer]:
        """Send a request `times` over, one after the other."""
        sender = self.sender(target)
        answers = []
        try:
            for _ in range(times):
                answers.append(await asyncio.wait_for(sender.send(request, keep_bytes), 10))
                await asyncio.sleep(pause_s)
        finally:
            await sender.aclose()
        return answers


OWN = [
    pytest.param(Client(stock=False, loop_factory=asyncio.new_event_loop), id="own-asyncio"),
    pytest.param(Client(stock=False, loop_factory=uvloop.new_event_loop), id="own-uvloop"),
]


@pytest.fixture(params=[*OWN, pytest.param(Client(stock=True, loop_factory=asyncio.new_event_loop), id="stock")])
def client(request: pytest.FixtureRequest) -> Client:
    """Give each transport in turn."""
    chosen: Client = request.param
    return chosen


@pytest.fixture(params=OWN)
def own(request: pytest.FixtureRequest) -> Client:
    """Give our own transport on each loop."""
    chosen: Client = request.param
    return chosen
