"""What servers do wrong becomes a fault of its own kind: never an exception, never a hang, never a success."""

import asyncio
import contextlib
import gzip
import resource
import socket
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

import pytest
import trustme

from burstctl.attempt import Answer, Fault
from burstctl.plan import Request, Target, Timeouts, Tls
from burstctl.send.exchange import HttpSender

Serve = Callable[..., Any]
T = TypeVar("T")


class Client(Protocol):
    """What asks the servers."""

    def run(self, main: Coroutine[Any, Any, T]) -> T: ...

    def sender(self, target: Target) -> HttpSender: ...

    async def ask(
        self, target: Target, request: Request, times: int = 1, keep_bytes: int = 0, pause_s: float = 0
    ) -> list[Answer]: ...


QUICK = Timeouts(connect_s=2.0, first_byte_s=0.3, idle_s=0.3, total_s=5.0)
POST = Request(0, "a", "POST", "/predict", (("content-type", "application/json"),), b'{"text": "hello"}')


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        (int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0
    )
    return head + await reader.readexactly(length)


def says(*pieces: bytes | float) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """Answer each request with these pieces; a number is a pause in seconds."""

    async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await read_request(reader)
        for piece in pieces:
            if isinstance(piece, bytes):
                writer.write(piece)
                await writer.drain()
            else:
                await asyncio.sleep(piece)

    return behave


OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
CASES = {
    "garbage": (says(b"\x00\x01 this is not HTTP\r\n\r\n"), Fault.PROTOCOL),
    "closed at once": (says(), Fault.RESET),
    "half a body": (says(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), Fault.RESET),
    "half a chunked body": (says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), Fault.RESET),
    "half a head": (says(b"HTTP/1.1 200 OK\r\nContent-"), Fault.RESET),
    "bad chunk size": (says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), Fault.PROTOCOL),
    "bad Content-Length": (says(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"), Fault.PROTOCOL),
    "1 MB header": (says(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2**20 + b"\r\n\r\n"), Fault.PROTOCOL),
    "gzip that isn't": (
        says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
        Fault.DECODE,
    ),
    "half a gzip": (
        says(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + gzip.compress(b"x" * 999)[:-9]
        ),
        Fault.DECODE,
    ),
    "endless body": (
        says(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", *[b"10000\r\n" + b"x" * 2**16 + b"\r\n"] * 40),
        Fault.TOO_LARGE,
    ),
    "gzip bomb": (
        says(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + gzip.compress(b"\0" * 2**26)),
        Fault.TOO_LARGE,
    ),
    "no answer": (says(9.0), Fault.TIMEOUT),
    "slow drip of the head": (says(b"HTTP/1.1 200 OK\r\nX: ", *(b"x", 0.2) * 20), Fault.TIMEOUT),
    "stands still": (says(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx", 9.0), Fault.TIMEOUT),
}


@pytest.mark.parametrize("case", CASES)
def test_a_misbehaving_server_is_a_fault(client: Client, serve: Serve, case: str) -> None:
    behave, fault = CASES[case]

    async def main() -> Answer:
        async with serve(behave) as port:
            target = Target(f"http://127.0.0.1:{port}", timeouts=QUICK, max_body=2**20)
            return (await client.ask(target, POST))[0]

    answer = client.run(main())
    assert (answer.fault, answer.status) == (fault, None)
    assert answer.detail
    assert "127.0.0.1" not in answer.detail


def test_the_total_bounds_a_body_that_keeps_dripping(client: Client, serve: Serve) -> None:
    async def main() -> Answer:
        dripping = says(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", *(b"x", 0.1) * 60)
        async with serve(dripping) as port:
            target = Target(f"http://127.0.0.1:{port}", timeouts=replace(QUICK, total_s=0.5))
            return (await client.ask(target, POST))[0]

    answer = client.run(main())
    assert (answer.fault, answer.detail) == (Fault.TIMEOUT, "no whole answer within total 0.5 s")


def test_a_good_answer_comes_back_whole(client: Client, serve: Serve) -> None:
    async def main() -> tuple[list[Answer], list[bytes], int]:
        seen: list[bytes] = []
        connections = 0

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            while True:
                seen.append(await read_request(reader))
                writer.write(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nX-A: 1\r\nX-A: 2\r\n")
                writer.write(b"Transfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n0\r\n\r\n")
                await writer.drain()

        async with serve(behave) as port:
            return await client.ask(Target(f"http://127.0.0.1:{port}"), POST, times=3), seen, connections

    answers, seen, connections = client.run(main())
    assert [answer.status for answer in answers] == [201, 201, 201]
    assert [(answer.http, answer.tls) for answer in answers] == [("HTTP/1.1", "")] * 3
    assert answers[0].body == b"{}\n"
    assert [value for name, value in answers[0].headers if name == "x-a"] == ["1", "2"]
    assert answers[0].first_byte_s is not None
    assert answers[0].first_byte_s <= answers[0].done_s
    assert connections == 1
    head, _, body = seen[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /predict HTTP/1.1\r\nHost: 127.0.0.1:")
    assert body == POST.body


def test_a_connection_that_went_stale_is_replaced(client: Client, serve: Serve) -> None:
    async def main() -> list[Answer]:
        async with serve(says(OK)) as port:  # closes after every answer without saying so
            return await client.ask(Target(f"http://127.0.0.1:{port}"), POST, times=3, pause_s=0.05)

    assert [answer.status for answer in client.run(main())] == [200, 200, 200]


def test_a_body_is_decoded_and_kept_as_far_as_wanted(client: Client, serve: Serve) -> None:
    body = gzip.compress(b'{"label": "ok"}')
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body)

    async def main(keep_bytes: int) -> bytes:
        async with serve(says(head, body[:7], 0.01, body[7:])) as port:
            return (await client.ask(Target(f"http://127.0.0.1:{port}"), POST, keep_bytes=keep_bytes))[0].body

    assert client.run(main(1000)) == b'{"label": "ok"}'
    assert client.run(main(4)) == b'{"la'


def test_a_redirect_is_an_answer_and_not_followed(client: Client, serve: Serve) -> None:
    async def main() -> Answer:
        async with serve(says(b"HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")) as port:
            return (await client.ask(Target(f"http://127.0.0.1:{port}"), POST))[0]

    assert client.run(main()).status == 302


@pytest.mark.parametrize(
    "request_",
    [replace(POST, target="/a\nb"), replace(POST, headers=(("x", "secret\r\nb: c"),)), replace(POST, target="/a b")],
)
def test_what_would_break_the_protocol_is_not_sent(client: Client, serve: Serve, request_: Request) -> None:
    async def main() -> tuple[Answer, bytes]:
        seen = b""

        async def behave(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
            nonlocal seen
            seen += await reader.read()

        async with serve(behave) as port:
            return (await client.ask(Target(f"http://127.0.0.1:{port}"), request_))[0], seen

    answer, seen = client.run(main())
    assert (answer.fault, seen) == (Fault.REQUEST, b"")
    assert "secret" not in answer.detail


def test_nobody_listening_is_a_connect_fault(client: Client) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = client.run(client.ask(Target(f"http://127.0.0.1:{taken.getsockname()[1]}"), POST))[0]
    assert (answer.fault, answer.detail) == (Fault.CONNECT, "connection refused")


def test_nobody_listening_on_any_address_of_a_name_is_a_connect_fault(client: Client) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        answer = client.run(client.ask(Target(f"http://localhost:{taken.getsockname()[1]}"), POST))[0]
    assert (answer.fault, answer.detail) == (Fault.CONNECT, "connection refused")


def test_an_unknown_name_is_a_dns_fault(client: Client) -> None:
    assert client.run(client.ask(Target("http://no-such-host.invalid"), POST))[0].fault is Fault.DNS


@contextlib.contextmanager
def open_files_limited_to(count: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_running_out_of_file_descriptors_is_a_fault_of_its_own(client: Client) -> None:
    async def main() -> Answer:
        target = Target("http://127.0.0.1:9")
        with open_files_limited_to(3):
            return (await client.ask(target, POST))[0]

    assert client.run(main()).fault is Fault.FILES


class TestTls:
    """Against a server with a certificate of an authority made for the occasion."""

    @pytest.fixture
    def authority(self) -> trustme.CA:
        return trustme.CA()

    @pytest.fixture
    def server_tls(self, authority: trustme.CA) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost", "127.0.0.1").configure_cert(context)
        return context

    def ask_over(
        self,
        client: Client,
        serve: Serve,
        server_tls: ssl.SSLContext,
        tls: Tls,
        host: str = "localhost",
        scheme: str = "https",
    ) -> Answer:
        async def main() -> Answer:
            async with serve(says(OK), server_tls) as port:
                return (await client.ask(Target(f"{scheme}://{host}:{port}", tls=tls), POST))[0]

        return client.run(main())

    def test_an_own_authority_is_trusted(
        self, client: Client, serve: Serve, authority: trustme.CA, server_tls: ssl.SSLContext, tmp_path: Path
    ) -> None:
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        answer = self.ask_over(client, serve, server_tls, Tls(ca=str(tmp_path / "ca.pem")))
        assert (answer.status, answer.http, answer.tls) == (200, "HTTP/1.1", "TLSv1.3")

    def test_an_unknown_authority_is_a_tls_fault(
        self, client: Client, serve: Serve, server_tls: ssl.SSLContext
    ) -> None:
        answer = self.ask_over(client, serve, server_tls, Tls())
        assert (answer.fault, answer.detail) == (
            Fault.TLS,
            "certificate not trusted: unable to get local issuer certificate",
        )

    def test_unchecked_if_told_so(self, client: Client, serve: Serve, server_tls: ssl.SSLContext) -> None:
        assert self.ask_over(client, serve, server_tls, Tls(verify=False)).status == 200

    def test_a_certificate_of_another_name_is_a_tls_fault(
        self, client: Client, serve: Serve, authority: trustme.CA, tmp_path: Path
    ) -> None:
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("elsewhere.example").configure_cert(context)
        assert self.ask_over(client, serve, context, Tls(ca=str(tmp_path / "ca.pem"))).fault is Fault.TLS

    def test_a_client_certificate_is_shown(
        self, client: Client, serve: Serve, authority: trustme.CA, server_tls: ssl.SSLContext, tmp_path: Path
    ) -> None:
        server_tls.verify_mode = ssl.CERT_REQUIRED
        authority.configure_trust(server_tls)
        authority.cert_pem.write_to_path(tmp_path / "ca.pem")
        shown = authority.issue_cert("client@example.org")
        shown.private_key_and_cert_chain_pem.write_to_path(tmp_path / "client.pem")
        ca = str(tmp_path / "ca.pem")
        assert self.ask_over(client, serve, server_tls, Tls(ca=ca, cert=str(tmp_path / "client.pem"))).status == 200
        assert self.ask_over(client, serve, server_tls, Tls(ca=ca)).fault in (Fault.TLS, Fault.RESET)

    def test_tls_to_a_plain_server_is_a_tls_fault(self, client: Client, serve: Serve) -> None:
        async def main() -> Answer:
            async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                await reader.read(5)
                writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                await writer.drain()

            async with serve(behave) as port:
                return (await client.ask(Target(f"https://127.0.0.1:{port}"), POST))[0]

        assert client.run(main()).fault is Fault.TLS


def test_a_cancelled_exchange_leaves_no_connection(client: Client, serve: Serve) -> None:
    async def main() -> tuple[int, int]:
        ends = 0

        async def behave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal ends
            await read_request(reader)
            if not await reader.read():  # until the client closes
                ends += 1

        async with serve(behave) as port:
            target = Target(f"http://127.0.0.1:{port}")
            sender = client.sender(target)
            tasks = [asyncio.create_task(sender.send(POST, 0)) for _ in range(20)]
            await asyncio.sleep(0.2)
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0.1)
            await sender.aclose()
            return ends, sum(isinstance(result, asyncio.CancelledError) for result in results)

    assert client.run(main()) == (20, 20)
