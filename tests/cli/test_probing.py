"""Probes fetch over connections of their own; credentials and trust go where they belong, and into no message."""

import asyncio
import ssl
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import trustme

from burstctl.cli.lane import ThreadLane
from burstctl.cli.probing import open_means
from burstctl.clock import clock_of
from burstctl.plan import Target, Tls
from burstctl.probe.probe import ProbeError


def fetched(
    target: Callable[[int], Target], url: str, headers: Mapping[str, str], tls: ssl.SSLContext | None = None
) -> tuple[str, list[str]]:
    """Fetch a URL of a small server once or twice; give the answer or the error, and the heads that it saw."""
    heads: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.transport.abort()

    async def main() -> str:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
        port = server.sockets[0].getsockname()[1]
        means, fetcher = open_means(target(port), clock_of(asyncio.get_running_loop()))
        try:
            await means.fetch(url.replace("PORT", str(port)), headers, 100)
            return (await means.fetch(url.replace("PORT", str(port)), headers, 100)).decode()
        except ProbeError as error:
            return str(error)
        finally:
            await fetcher.aclose()
            server.close()
            await asyncio.sleep(0.05)

    return asyncio.run(main()), heads


def elsewhere(port: int) -> Target:
    return Target("http://127.0.0.1:1")


def test_a_probe_sends_its_own_headers_and_none_of_the_load() -> None:
    said, heads = fetched(elsewhere, "http://127.0.0.1:PORT/metrics?a=b#c", {"x-probe": "1"})
    assert said == "ok"
    assert heads[0].startswith("GET /metrics?a=b HTTP/1.1\r\n")
    assert "x-probe: 1" in heads[0].lower()
    assert "user-agent: burstctl" in heads[0].lower()
    assert "authorization" not in heads[0].lower()
    assert "idempotency-key" not in heads[0].lower()


def test_user_and_password_of_a_url_are_sent_unless_the_headers_have_others() -> None:
    url = "http://us%40er:p%3Ass@127.0.0.1:PORT/"
    _, heads = fetched(elsewhere, url, {})
    assert "authorization: Basic dXNAZXI6cDpzcw==" in heads[0]
    _, heads = fetched(elsewhere, url, {"Authorization": "Bearer x"})
    assert "Basic" not in heads[0]
    assert "Authorization: Bearer x" in heads[0]


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def certified(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(context)
    return context


@pytest.mark.parametrize(
    ("host", "said"),
    [("127.0.0.1", "ok"), ("localhost", "tls: certificate not trusted: unable to get local issuer certificate")],
)
def test_an_authority_of_the_target_s_is_trusted_on_its_own_host_only(
    authority: trustme.CA, certified: ssl.SSLContext, tmp_path: Path, host: str, said: str
) -> None:
    """Metrics are often served on another port of the same host."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    target = Target("https://127.0.0.1:1", tls=Tls(ca=str(tmp_path / "ca.pem")))
    assert fetched(lambda port: target, f"https://{host}:PORT/", {}, certified)[0] == said


@pytest.mark.parametrize(
    ("base_url", "url", "presented"),
    [
        ("https://127.0.0.1:PORT/v1", "https://127.0.0.1:PORT/metrics", True),
        ("https://127.0.0.1:1", "https://127.0.0.1:PORT/metrics", False),
        ("https://127.0.0.1", "https://127.0.0.1:PORT/metrics", False),
        ("http://127.0.0.1:PORT", "https://127.0.0.1:PORT/metrics", False),
        ("https://localhost:PORT", "https://127.0.0.1:PORT/metrics", False),
    ],
)
def test_a_client_certificate_goes_to_the_target_s_own_origin_and_nowhere_else(
    authority: trustme.CA, tmp_path: Path, base_url: str, url: str, presented: bool
) -> None:
    """The server asks whoever comes for a certificate; what it was shown is the truth."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    client = authority.issue_cert("client@example.com")
    client.private_key_pem.write_to_path(str(tmp_path / "key.pem"))
    client.cert_chain_pems[0].write_to_path(str(tmp_path / "cert.pem"))
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(asking)
    authority.configure_trust(asking)
    asking.verify_mode = ssl.CERT_OPTIONAL
    tls = Tls(ca=str(tmp_path / "ca.pem"), cert=str(tmp_path / "cert.pem"), key=str(tmp_path / "key.pem"))
    shown: list[object] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        shown.append(writer.get_extra_info("peercert") or None)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()

    async def main() -> str:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=asking)
        port = str(server.sockets[0].getsockname()[1])
        target = Target(base_url.replace("PORT", port), tls=tls)
        means, fetcher = open_means(target, clock_of(asyncio.get_running_loop()))
        try:
            return (await means.fetch(url.replace("PORT", port), {}, 100)).decode()
        except ProbeError as error:
            return str(error)
        finally:
            await fetcher.aclose()
            server.close()
            await asyncio.sleep(0.05)

    said = asyncio.run(main())
    assert [one is not None for one in shown] == ([presented] if said == "ok" else [])
    # Another host is not trusted by the target's authority either.
    assert said.startswith("tls: certificate not trusted" if "localhost" in base_url else "ok")


def test_tls_where_none_is_expected(certified: ssl.SSLContext) -> None:
    said, _ = fetched(elsewhere, "http://127.0.0.1:PORT/", {}, certified)
    assert said.startswith(("reset: ", "protocol: "))


def test_a_lane_gives_results_and_errors_and_goes_on() -> None:
    async def main() -> None:
        lane = ThreadLane()
        assert await lane.run(lambda: 5) == 5
        with pytest.raises(ZeroDivisionError):
            await lane.run(lambda: 1 / 0)
        assert await lane.run(dict) == {}

    asyncio.run(main())


def test_a_lane_waits_a_moment_for_a_call_that_was_broken_off() -> None:
    async def main() -> None:
        lane = ThreadLane()
        go_on = threading.Event()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(lane.run(lambda: go_on.wait(10)), 0.01)
        with pytest.raises(ProbeError, match="the call before has not come back yet"):
            await lane.run(lambda: 5)
        asyncio.get_running_loop().call_later(0.01, go_on.set)
        assert await lane.run(lambda: 5) == 5

    asyncio.run(main())
