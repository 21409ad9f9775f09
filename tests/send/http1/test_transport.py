"""The HTTP/1.1 transport keeps to httpx's terms, reuses connections and leaves nothing behind."""

import asyncio
import contextlib
import os
import random
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Protocol, TypeVar

import httpx
import pytest
import trustme

from burstctl.send.http1.reply import Reply
from burstctl.send.http1.transport import Http1Transport

T = TypeVar("T")
Serve = Any
Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Client(Protocol):
    """What runs a test."""

    def run(self, main: Coroutine[Any, Any, T]) -> T: ...


def transport_to(port: int, tls: ssl.SSLContext | None = None, cap: int | None = None) -> Http1Transport:
    origin = httpx.URL(f"{'https' if tls else 'http'}://localhost:{port}")
    return Http1Transport(origin, tls, asyncio.get_running_loop().time, cap)


async def fetch(
    transport: Http1Transport, method: str = "POST", body: bytes = b"hi", **extensions: object
) -> tuple[httpx.Response, bytes]:
    request = httpx.Request(
        method, "http://localhost/p", headers={}, stream=httpx.ByteStream(body), extensions=extensions
    )
    response = await transport.handle_async_request(request)
    assert isinstance(response.stream, httpx.AsyncByteStream)
    try:
        return response, b"".join([piece async for piece in response.stream])
    finally:
        await response.stream.aclose()


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:")), 0)
    return head + await reader.readexactly(length)


def says(*answers: bytes, close: bool = True) -> Behaviour:
    """Answer one request after the other, then close or stay silent."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await read_request(reader)
            writer.write(answer)
            await writer.drain()
        if not close:
            await reader.read()

    return behave


def resets(*answers: bytes) -> Behaviour:
    """Answer, take one more request, then reset the connection."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for answer in answers:
            await read_request(reader)
            writer.write(answer)
            await writer.drain()
        await read_request(reader)
        taken: socket.socket = writer.get_extra_info("socket")
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return behave


def head(*lines: bytes) -> bytes:
    return b"\r\n".join((b"HTTP/1.1 200 OK", *lines, b"", b""))


@pytest.mark.parametrize(
    ("behave", "error"),
    [
        (says(b""), httpx.RemoteProtocolError),
        (resets(), httpx.ReadError),
        (says(b"SSH-2.0-OpenSSH_9.2\r\n"), httpx.RemoteProtocolError),
        (says(b"HTTP/1.1 200"), httpx.RemoteProtocolError),
        (says(head(b"Content-Length: 9") + b"cut"), httpx.RemoteProtocolError),
        (says(head(b"Transfer-Encoding: chunked") + b"5\r\nhello\r\n"), httpx.RemoteProtocolError),
        (says(head(b"Transfer-Encoding: gzip") + b"hello"), httpx.RemoteProtocolError),
        (says(head(b"Content-Length: 2", b"Content-Length: 3") + b"abc"), httpx.RemoteProtocolError),
        (says(head(b"Content-Length: 2", b"Transfer-Encoding: chunked") + b"0\r\n\r\n"), httpx.RemoteProtocolError),
        (says(b"HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n"), httpx.RemoteProtocolError),
        (says(b"HTTP/1.1 101 Go\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"), httpx.RemoteProtocolError),
        (says(b"HTTP/1.1 101 Go\r\n\r\n" + OK), httpx.RemoteProtocolError),
        (says(b"HTTP/1.1 103 Hints\r\nContent-Length: 5\r\n\r\nhello" + OK), httpx.RemoteProtocolError),
        (says(head(*[b"X: y"] * 201)), httpx.RemoteProtocolError),
        (says(head(b"X: " + b"y" * 70_000, b"Content-Length: 2") + b"{}"), httpx.RemoteProtocolError),
        (says(head(b"X: " + b"y" * 70_000), close=False), httpx.RemoteProtocolError),
        (says(b"HTTP/1.1 102 Wait\r\n\r\n" * 5000, close=False), httpx.RemoteProtocolError),
        (
            says(head(b"Transfer-Encoding: chunked") + b"0\r\nX: " + b"y" * 99_000, close=False),
            httpx.RemoteProtocolError,
        ),
        (says(head(b"Transfer-Encoding: chunked") + b"5;" + b"y" * 99_000, close=False), httpx.RemoteProtocolError),
    ],
)
def test_errors_are_httpx_errors(
    own: Client, serve: Serve, behave: Behaviour, error: type[httpx.TransportError]
) -> None:
    async def main() -> None:
        async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
            with pytest.raises(error):
                await asyncio.wait_for(fetch(transport), 5)

    own.run(main())


def test_what_goes_wrong_before_a_connection_is_there(own: Client) -> None:
    async def refused(origin: str, timeout_s: float, error: type[httpx.TransportError]) -> None:
        loop = asyncio.get_running_loop()
        async with contextlib.aclosing(Http1Transport(httpx.URL(origin), None, loop.time)) as transport:
            with pytest.raises(error):
                await fetch(transport, timeout={"connect": timeout_s})

    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        refusing = full.getsockname()[1]
        own.run(refused(f"http://127.0.0.1:{refusing}", 5, httpx.ConnectError))
        own.run(refused(f"http://localhost:{refusing}", 5, httpx.ConnectError))
    own.run(refused("http://no-such-host.invalid", 5, httpx.ConnectError))
    own.run(refused("http://192.0.2.1", 0.0, httpx.ConnectTimeout))


@pytest.mark.parametrize(
    ("method", "answer", "status", "body", "reused"),
    [
        ("POST", OK, 200, b"{}", True),
        ("POST", OK + b"\r\n", 200, b"{}", True),
        ("POST", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n" + OK, 200, b"{}", True),
        ("POST", head(b"Transfer-Encoding: chunked") + b"1;x=y\r\n{\r\n1\r\n}\r\n0\r\nT: x\r\n\r\n", 200, b"{}", True),
        ("POST", head(b"Connection: close", b"Content-Length: 2") + b"{}", 200, b"{}", False),
        ("POST", b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, b"{}", False),
        ("POST", b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}", 200, b"{}", True),
        ("POST", OK + b"garbage", 200, b"{}", False),
        ("POST", OK + OK, 200, b"{}", False),
        ("GET", b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", True),
        ("GET", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", 304, b"", True),
        ("HEAD", head(b"Content-Length: 99"), 200, b"", True),
        ("HEAD", head(b"Transfer-Encoding: chunked"), 200, b"", True),
        ("HEAD", OK, 200, b"", False),
    ],
)
def test_answers_are_framed_and_connections_kept_only_where_that_is_sound(
    own: Client, serve: Serve, method: str, answer: bytes, status: int, body: bytes, reused: bool
) -> None:
    async def main() -> int:
        connections = 0

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            await says(answer, answer, answer, close=False)(reader, writer)

        async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
            for _ in range(3):
                response, received = await asyncio.wait_for(fetch(transport, method, b""), 5)
                assert (response.status_code, received) == (status, body)
                assert isinstance(response.stream, Reply)
                assert (response.stream.first_byte_s or 0) <= (response.stream.last_byte_s or 0)
        return connections

    assert own.run(main()) == (1 if reused else 3)


def test_a_body_may_end_with_the_connection(own: Client, serve: Serve) -> None:
    async def main() -> bytes:
        body = b"x" * 2_000_000
        ends = says(b"HTTP/1.0 200 OK\r\n\r\n" + body)
        async with serve(ends) as port, contextlib.aclosing(transport_to(port)) as transport:
            return (await fetch(transport))[1]

    assert own.run(main()) == b"x" * 2_000_000


def test_an_answer_that_comes_before_the_request_is_read_is_good(own: Client, serve: Serve) -> None:
    async def main() -> list[int]:
        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(5)

        async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
            return [(await fetch(transport, body=b"x" * 20_000_000))[0].status_code for _ in range(2)]

    assert own.run(main()) == [413, 413]


def test_a_server_that_answers_without_reading_is_heard(own: Client, serve: Serve) -> None:
    async def main() -> set[int]:
        async def behave(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            await writer.drain()
            writer.write_eof()
            await asyncio.sleep(0.05)

        async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
            return {(await fetch(transport))[0].status_code for _ in range(20)}

    assert own.run(main()) == {503}


def test_reading_pauses_while_nobody_takes_the_body(own: Client, serve: Serve) -> None:
    async def main() -> tuple[int, int]:
        sent = 0

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal sent
            await read_request(reader)
            writer.write(head(b"Content-Length: 64000000"))
            for _ in range(1000):
                writer.write(b"x" * 64_000)
                await writer.drain()
                sent += 64_000

        async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
            request = httpx.Request("GET", "http://localhost/", stream=httpx.ByteStream(b""))
            response = await transport.handle_async_request(request)
            await asyncio.sleep(0.3)
            held, received = sent, 0
            assert isinstance(response.stream, httpx.AsyncByteStream)
            async for piece in response.stream:
                received += len(piece)
            return held, received

    held, received = own.run(main())
    assert held < 32_000_000  # what the kernel's buffers hold, and little more
    assert received == 64_000_000


class TestReuse:
    """Connections serve again, last one first."""

    def test_the_connection_used_last_serves_next(self, own: Client, serve: Serve) -> None:
        async def main() -> tuple[int, list[int]]:
            served: list[int] = []
            connections = 0

            async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                nonlocal connections
                connections += 1
                number = connections
                while True:
                    wait_s = float((await read_request(reader)).rpartition(b"\r\n")[2])
                    await asyncio.sleep(wait_s)
                    served.append(number)
                    writer.write(OK)

            async with serve(behave) as port, contextlib.aclosing(transport_to(port)) as transport:
                await asyncio.gather(*[fetch(transport, body=b"%.2f" % (0.05 * n)) for n in range(1, 4)])
                last = served[-1]
                for _ in range(3):
                    await fetch(transport, body=b"0")
                return connections, [number - last for number in served[-3:]]

        assert own.run(main()) == (3, [0, 0, 0])

    def test_a_cap_makes_requests_wait_for_each_other(self, own: Client, serve: Serve) -> None:
        async def main() -> tuple[int, int]:
            connections, most, now = 0, 0, 0

            async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                nonlocal connections, most, now
                connections += 1
                for number in range(300):
                    await read_request(reader)
                    now += 1
                    most = max(most, now)
                    await asyncio.sleep(0.002)
                    now -= 1
                    if number % 3 == 2:
                        return  # without a word: the request is answered over another connection
                    writer.write(OK)

            async with serve(behave) as port, contextlib.aclosing(transport_to(port, cap=3)) as transport:
                results = await asyncio.gather(*[fetch(transport) for _ in range(60)], return_exceptions=True)
                assert all(isinstance(r, tuple | httpx.RemoteProtocolError) for r in results)
                assert sum(isinstance(r, tuple) for r in results) >= 40
                reached = most
                # Neither failures nor cancellations have eaten a place.
                storm = [asyncio.create_task(fetch(transport)) for _ in range(30)]
                await asyncio.sleep(0.003)
                for task in storm:
                    task.cancel()
                await asyncio.gather(*storm, return_exceptions=True)
                again = await asyncio.wait_for(asyncio.gather(*[fetch(transport) for _ in range(3)]), 5)
                assert [body for _, body in again] == [b"{}"] * 3
                return connections, reached

        connections, most = own.run(main())
        assert connections > 3
        assert most == 3

    def test_a_cap_may_be_waited_for_too_long(self, own: Client, serve: Serve) -> None:
        async def main() -> None:
            async with serve(says(close=False)) as port, contextlib.aclosing(transport_to(port, cap=1)) as transport:
                first = asyncio.create_task(fetch(transport))
                await asyncio.sleep(0.05)
                with pytest.raises(httpx.PoolTimeout):
                    await fetch(transport, timeout={"pool": 0.05})
                first.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await first

        own.run(main())

    @pytest.mark.parametrize("ends", ["close", "reset"])
    def test_no_request_is_sent_twice_behind_the_callers_back(self, own: Client, serve: Serve, ends: str) -> None:
        async def main() -> int:
            arrived = 0

            async def closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                nonlocal arrived
                await says(OK)(reader, writer)
                arrived += 1
                await read_request(reader)
                arrived += 1
                if ends == "reset":
                    writer.transport.abort()

            async with serve(closes) as port, contextlib.aclosing(transport_to(port)) as transport:
                for _ in range(3):
                    await fetch(transport)
                    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
                        await fetch(transport)
            return arrived

        assert own.run(main()) == 6


class TestTls:
    """What only happens under TLS."""

    @pytest.mark.parametrize(
        ("answer", "expected"),
        [
            (OK, b"{}"),
            (b"HTTP/1.0 200 OK\r\n\r\nto the end", b"to the end"),
            (head(b"Content-Length: 9") + b"cut", httpx.RemoteProtocolError),
            (b"", httpx.RemoteProtocolError),
        ],
    )
    @pytest.mark.parametrize("rude", [False, True])
    def test_connections_end_as_they_do_without_it(
        self, own: Client, serve: Serve, rude: bool, answer: bytes, expected: bytes | type[Exception]
    ) -> None:
        authority = trustme.CA()
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(server)
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await says(answer)(reader, writer)
            await asyncio.sleep(0.02)
            if rude:
                writer.transport.abort()  # no close_notify

        async def main() -> bytes | type[Exception]:
            async with serve(behave, server) as port, contextlib.aclosing(transport_to(port, trusting)) as transport:
                try:
                    return (await asyncio.wait_for(fetch(transport), 5))[1]
                except httpx.TransportError as error:
                    return type(error)

        assert own.run(main()) == expected


def count_open_files() -> int:
    return len(os.listdir("/dev/fd"))  # noqa: PTH208 - the entry of the listing itself is counted each time


def test_storms_of_cancellations_leave_neither_files_nor_tasks(own: Client, serve: Serve) -> None:
    async def main() -> tuple[int, int]:
        rng = random.Random(7)

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while not writer.is_closing():
                await read_request(reader)
                for piece in (OK[:9], OK[9:40], OK[40:]):
                    if writer.is_closing():
                        return
                    writer.write(piece)
                    await asyncio.sleep(rng.random() / 500)

        async with serve(behave) as port:
            before = count_open_files()
            async with contextlib.aclosing(transport_to(port)) as transport:
                for _ in range(20):
                    tasks = [asyncio.create_task(fetch(transport)) for _ in range(20)]
                    for task in tasks:
                        await asyncio.sleep(rng.random() / 2000)
                        task.cancel()
                    results = await asyncio.gather(*tasks, return_exceptions=True)
                    assert all(isinstance(r, tuple | asyncio.CancelledError) for r in results)
                assert (await fetch(transport))[1] == b"{}"
            await asyncio.sleep(0.1)  # the server's side closes, too
            return count_open_files() - before, len(asyncio.all_tasks())

    assert own.run(main()) == (0, 1)


def test_closing_ends_what_is_under_way(own: Client, serve: Serve) -> None:
    async def main() -> list[object]:
        async with serve(says(close=False)) as port:
            transport = transport_to(port)
            tasks = [asyncio.create_task(fetch(transport)) for _ in range(5)]
            await asyncio.sleep(0.1)
            await transport.aclose()
            await transport.aclose()
            return [type(result) for result in await asyncio.gather(*tasks, return_exceptions=True)]

    assert own.run(main()) == [httpx.ReadError] * 5


def test_an_address_of_ipv6_can_be_the_host(own: Client) -> None:
    async def main() -> int:
        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            assert b"\r\nHost: [::1]:" in await read_request(reader)
            writer.write(OK)
            await writer.drain()
            writer.close()

        server = await asyncio.start_server(handle, "::1", 0)
        async with server:
            origin = httpx.URL(f"http://[::1]:{server.sockets[0].getsockname()[1]}")
            loop = asyncio.get_running_loop()
            async with contextlib.aclosing(Http1Transport(origin, None, loop.time)) as transport:
                return (await fetch(transport))[0].status_code

    if not socket.has_ipv6:
        pytest.skip("no IPv6 here")
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6 here")
    assert own.run(main()) == 200
