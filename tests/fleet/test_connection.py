"""HTTP as clients really speak it, well and badly, over loopback sockets."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable

import pytest

from burstctl.clock import LoopClock, Timer
from burstctl.fleet.connection import MAX_BODY
from burstctl.fleet.server import serve
from burstctl.fleet.spec import FleetSpec, ServiceTime

FAST = FleetSpec(slots=8, service_mean_s=0.001, service_time=ServiceTime.FIXED)
GET = b"GET /predict HTTP/1.1\r\nHost: x\r\n\r\n"


def talk(*pieces: bytes, spec: FleetSpec = FAST) -> bytes:
    """Send pieces in segments of their own, then read until the server closes or has nothing more to say."""

    async def run() -> bytes:
        async with await serve(spec) as server:
            reader, writer = await connect(server.url)
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
            received, silences = b"", 0
            # Several short silences rather than a long one: a stall of the machine makes only one.
            while silences < 4 and not received.endswith(b"<closed>"):
                try:
                    piece = bytes(await asyncio.wait_for(reader.read(65536), 0.03))
                    received += piece or b"<closed>"
                    silences = 0
                except TimeoutError:
                    silences += 1
            writer.close()
            return received

    return asyncio.run(run())


async def connect(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = url.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


def statuses(received: bytes) -> list[int]:
    return [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]


def test_a_post_is_echoed_as_json() -> None:
    received = talk(b'POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\n{"text": "a"}')
    head, _, body = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\nDate: ")
    assert b"Content-Length: %d" % len(body) in head
    assert json.loads(body) == {"label": "ok", "echo": {"text": "a"}}


@pytest.mark.parametrize("body", [b"", b"{", b"NaN", b"\xff"])
def test_what_is_not_json_is_echoed_as_null(body: bytes) -> None:
    received = talk(b"POST /predict HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    assert received.endswith(b'{"label": "ok", "echo": null}')


def test_a_request_may_come_byte_by_byte() -> None:
    assert statuses(talk(*(bytes([byte]) for byte in GET))) == [200]


def test_chunked_bodies_with_extensions_and_trailers_are_joined() -> None:
    received = talk(
        b"POST /predict HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\n[1\r\n",
        b"2\r\n,2\r\n1\r\n]\r\n0\r\nX-Sum: 3\r\n\r\n",
        GET,
    )
    assert b'"echo": [1,2]}' in received
    assert statuses(received) == [200, 200]


def test_head_is_get_without_the_body() -> None:
    received = talk(GET.replace(b"GET", b"HEAD"), GET)
    first, second = received.split(b"HTTP/1.1 200")[1:]
    assert first.endswith(b"\r\n\r\n")
    assert b"Content-Length: 29" in first
    assert b"Content-Length: 29" in second


def test_pipelined_requests_are_answered_in_their_order() -> None:
    slow_then_fast = b"GET /predict HTTP/1.1\r\n\r\nGET /healthz HTTP/1.1\r\n\r\nGET /nowhere HTTP/1.1\r\n\r\n"
    assert statuses(talk(slow_then_fast)) == [200, 200, 404]


def test_a_long_pipeline_is_answered_whole() -> None:
    assert statuses(talk(GET * 3000)) == [200] * 3000


@pytest.mark.parametrize(
    ("request_head", "closes"),
    [
        (b"GET /predict HTTP/1.1\r\nConnection: close\r\n\r\n", True),
        (b"GET /predict HTTP/1.1\r\n\r\n", False),
        (b"GET /predict HTTP/1.0\r\n\r\n", True),
        (b"GET /predict HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", False),
    ],
)
def test_the_connection_lives_as_long_as_the_client_asks(request_head: bytes, closes: bool) -> None:
    received = talk(request_head)
    assert statuses(received) == [200]
    assert received.endswith(b"<closed>") is closes
    assert (b"Connection: close" in received) is closes


def test_what_follows_a_closing_request_is_ignored() -> None:
    assert statuses(talk(b"GET /predict HTTP/1.1\r\nConnection: close\r\n\r\n" + GET)) == [200]


def test_an_expected_100_continue_comes_before_the_body_is_sent() -> None:
    async def run() -> None:
        async with await serve(FAST) as server:
            reader, writer = await connect(server.url)
            writer.write(b"POST /predict HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            writer.write(b"7")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            writer.close()

    asyncio.run(run())


def test_an_offered_upgrade_is_declined() -> None:
    offer = b"GET /predict HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
    assert statuses(talk(offer + GET)) == [200, 200]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/predict?x=1", 200),
        ("GET", "http://fleet:80/predict?x=1", 200),
        ("DELETE", "/predict", 405),
        ("GET", "/reset", 405),
        ("POST", "/metrics", 405),
        ("GET", "/", 404),
        ("OPTIONS", "*", 404),
        ("CONNECT", "fleet:443", 404),
    ],
)
def test_paths_and_methods(method: str, path: str, status: int) -> None:
    assert statuses(talk(f"{method} {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())) == [status]


@pytest.mark.parametrize(
    ("pieces", "status"),
    [
        ([b"hello\r\n\r\n"], 400),
        ([b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"], 400),
        ([b"GET /predict HTTP/9.9\r\n\r\n"], 400),
        ([b"GET /predict HTTP/1.1\r\nno colon\r\n\r\n"], 400),
        ([b"POST /predict HTTP/1.1\r\nContent-Length: minus one\r\n\r\n"], 400),
        ([b"POST /predict HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"], 400),
        ([b"POST /predict HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"], 400),
        ([b"GET /predict HTTP/1.1\r\nX: ", b"a" * 70_000], 431),
        ([b"GET /", b"a" * 70_000], 431),
        ([b"POST /predict HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (MAX_BODY + 1)], 413),
        ([b"POST /predict HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n"], 413),
        (
            [b"POST /predict HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"]
            + [b"100000\r\n%s\r\n" % bytes(2**20)] * (MAX_BODY // 2**20)
            + [b"1\r\nx\r\n"],
            413,
        ),
    ],
)
def test_what_cannot_be_read_is_answered_and_ends_the_connection(pieces: list[bytes], status: int) -> None:
    received = talk(*pieces)
    assert statuses(received) == [status]
    assert received.endswith(b"<closed>")


def test_good_requests_before_a_bad_one_are_answered_first() -> None:
    assert statuses(talk(GET + b"garbage\r\n\r\n")) == [200, 400]


def test_no_input_makes_the_server_stumble() -> None:
    post = b"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n[1]\n"
    chunked = b"POST /predict HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\nX: y\r\n\r\n"
    rng = random.Random(20)

    async def run() -> None:
        stumbles: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: stumbles.append(context))
        async with await serve(FAST) as server:
            for _ in range(400):
                mangled = bytearray(rng.choice([GET, post, chunked]) * rng.randint(1, 3))
                for _ in range(rng.randint(0, 6)):
                    mangled[rng.randrange(len(mangled))] = rng.choice(b"\r\n\x00\xff: /0z")
                _, writer = await connect(server.url)
                writer.write(mangled)
                await asyncio.sleep(0.001)
                writer.close()
        assert stumbles == []

    asyncio.run(run())


class FastForward:
    """A clock that can be moved on: what it times comes due at once."""

    def __init__(self) -> None:
        self._loop = LoopClock(asyncio.get_running_loop())
        self.ahead_s = 0.0

    def now(self) -> float:
        return self._loop.now() + self.ahead_s

    def wall(self) -> float:
        return self._loop.wall()

    def call_at(self, when_s: float, callback: Callable[[], None]) -> Timer:
        # A second of this clock is a millisecond of waiting.
        return self._loop.call_at(self._loop.now() + (when_s - self.now()) / 1000, callback)


async def never_reads(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    big = b'POST /predict HTTP/1.1\r\nContent-Length: 1000002\r\n\r\n"' + b"a" * 1_000_000 + b'"'
    for _ in range(40):
        writer.write(big)
    await asyncio.sleep(0.05)


async def sends_half_a_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"POST /predict HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc")
    await asyncio.sleep(0.02)


async def idles(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(GET)
    await reader.readuntil(b"}")


async def says_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.02)


@pytest.mark.parametrize("behave", [never_reads, sends_half_a_request, idles, says_nothing])
def test_a_connection_that_leads_nowhere_is_dropped_in_the_end(
    behave: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> None:
    async def run() -> None:
        clock = FastForward()
        async with await serve(FAST, clock=clock) as server:
            reader, writer = await connect(server.url)
            await behave(reader, writer)
            assert server.connections == 1
            clock.ahead_s += 80
            for _ in range(1000):
                await asyncio.sleep(0.005)
                if not server.connections:
                    break
            assert server.connections == 0
            writer.transport.abort()

    asyncio.run(run())
