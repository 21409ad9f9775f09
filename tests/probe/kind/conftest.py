"""Probes with what they have in a run: connections, processes and threads of their own; and small servers to ask."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from burstctl.cli.probing import open_means
from burstctl.clock import clock_of
from burstctl.plan import Target
from burstctl.probe import registry
from burstctl.probe.probe import MAIN, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

Behave = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]


@contextlib.asynccontextmanager
async def open_probe(kind: str, timeout_s: float = 2.0, **keys: Any) -> AsyncIterator[Any]:
    """Open a probe of a kind."""
    means, fetcher = open_means(Target("http://127.0.0.1:1"), clock_of(asyncio.get_running_loop()))
    probe = registry.load(kind).make(ProbeSettings("p", kind, timeout_s=timeout_s, keys=keys), means)
    try:
        yield probe
    finally:
        await probe.aclose()
        await fetcher.aclose()


@pytest.fixture(scope="session")
def opened() -> Callable[..., AbstractAsyncContextManager[Any]]:
    return open_probe


@pytest.fixture(scope="session")
def read() -> Callable[..., list[Reading]]:
    """Give the means to read a probe several times; an error is raised."""

    def read(kind: str, times: int = 1, **keys: Any) -> list[Reading]:
        async def main() -> list[Reading]:
            async with open_probe(kind, **keys) as probe:
                return [reading for _ in range(times) for reading in await asyncio.wait_for(probe.read(), 10)]

        return asyncio.run(main())

    return read


async def read_some(probe: Any, times: int, within_s: float) -> list[float | str]:
    """Read a probe's main series; an error's text takes the place of a value."""
    found: list[float | str] = []
    for _ in range(times):
        try:
            found += [reading[MAIN] for reading in await asyncio.wait_for(probe.read(), within_s)]
        except (ProbeError, TimeoutError) as error:
            found.append(str(error) or type(error).__name__)
    return found


@pytest.fixture(scope="session")
def ask() -> Callable[..., list[float | str]]:
    """Give the means to read a probe of a small server that behaves in some way; errors' texts stand among values."""

    def ask(behave: Behave, kind: str, times: int, within_s: float = 1.0, **keys: Any) -> list[float | str]:
        async def main() -> list[float | str]:
            server = await asyncio.start_server(behave, "127.0.0.1", 0)
            address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            keys.setdefault("url", "http://ADDRESS/stats")
            filled = {
                name: value.replace("ADDRESS", address) if name == "url" else value for name, value in keys.items()
            }
            async with open_probe(kind, **filled) as probe:
                found = await read_some(probe, times, within_s)
            server.close()
            left = asyncio.all_tasks() - {asyncio.current_task()}
            if left:
                await asyncio.wait(left, timeout=0.5)
            await asyncio.sleep(0.01)  # what was cut off is closed by then
            return found

        return asyncio.run(main())

    return ask


@pytest.fixture(scope="session")
def answering() -> Callable[..., Behave]:
    """Give the means to answer one request after the other, the last answer for ever."""

    def answering(*answers: bytes, pause_s: float = 0.0, end: bytes = b"\r\n\r\n") -> Behave:
        left = list(answers)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                while await reader.readuntil(end):
                    await asyncio.sleep(pause_s)
                    body = left.pop(0) if len(left) > 1 else left[0]
                    head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body)
                    writer.write(head + body if end == b"\r\n\r\n" and not body.startswith(b"HTTP/") else body)
                    await writer.drain()
            except (ConnectionError, asyncio.IncompleteReadError):
                return
            finally:
                writer.transport.abort()

        return serve

    return answering


@pytest.fixture(scope="session")
def flooding() -> Callable[..., Behave]:
    """Give the means to send a start and then a piece again and again, with pauses, until nobody listens."""

    def flooding(start: bytes, piece: bytes, pause_s: float = 0.0) -> Behave:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await reader.read(1)
                writer.write(start)
                while not writer.transport.is_closing():
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(pause_s)
            except ConnectionError:
                return
            finally:
                writer.transport.abort()

        return serve

    return flooding


def main_of(readings: Sequence[Reading]) -> list[float]:
    return [reading[MAIN] for reading in readings]
