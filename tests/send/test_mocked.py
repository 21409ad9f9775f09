"""The sender works over any httpx transport: here a respx router stands for the server."""

import asyncio
import gzip

import httpx
import pytest
import respx

from burstctl.attempt import Answer, Fault
from burstctl.clock import LoopClock
from burstctl.plan import Request, Target, Timeouts
from burstctl.send.exchange import HttpSender
from burstctl.send.over_httpx import HttpxCarrier

TARGET = Target("http://fleet.example:8080", timeouts=Timeouts(first_byte_s=0.05))
POST = Request(0, "a", "POST", "/predict?v=1", (("x-request-id", "r-1"),), b'{"text": "hello"}')


def ask(router: respx.Router) -> Answer:
    async def main() -> Answer:
        transport = httpx.MockTransport(router.async_handler)
        sender = HttpSender(TARGET, HttpxCarrier(TARGET, transport), LoopClock(asyncio.get_running_loop()))
        return await sender.send(POST, 1000)

    return asyncio.run(main())


def test_a_routed_answer_comes_back() -> None:
    router = respx.Router()
    route = router.post("http://fleet.example:8080/predict", params={"v": "1"}, headers={"x-request-id": "r-1"})
    route.respond(201, headers={"content-encoding": "gzip", "X-A": "1"}, content=gzip.compress(b'{"label": "ok"}'))
    answer = ask(router)
    assert (answer.status, answer.body, dict(answer.headers)["x-a"]) == (201, b'{"label": "ok"}', "1")
    assert answer.first_byte_s is not None
    sent = route.calls.last.request
    assert (sent.content, sent.headers["host"]) == (POST.body, "fleet.example:8080")


def test_the_http_version_is_told_where_the_transport_shows_it() -> None:
    for extensions, told in (({"http_version": b"HTTP/2"}, "HTTP/2"), ({}, "")):
        router = respx.Router()
        router.post(path="/predict").mock(return_value=httpx.Response(200, extensions=extensions))
        answer = ask(router)
        assert (answer.http, answer.tls) == (told, "")


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (httpx.ConnectError("refused"), Fault.CONNECT),
        (httpx.ReadTimeout("slow"), Fault.TIMEOUT),
        (httpx.RemoteProtocolError("Server disconnected without sending a response."), Fault.RESET),
    ],
)
def test_an_error_is_a_fault(error: httpx.TransportError, fault: Fault) -> None:
    router = respx.Router()
    router.post(path="/predict").mock(side_effect=error)
    assert ask(router).fault is fault


def test_a_handler_that_hangs_is_a_timeout() -> None:
    async def hang(_: httpx.Request) -> httpx.Response:
        await asyncio.sleep(60)
        return httpx.Response(200)

    router = respx.Router()
    router.post(path="/predict").mock(side_effect=hang)
    answer = ask(router)
    assert (answer.fault, answer.detail) == (Fault.TIMEOUT, "no answer within first_byte 0.05 s")
