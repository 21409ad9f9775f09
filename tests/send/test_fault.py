"""A transport's error is told apart by what led to it."""

import errno
import os
import socket
import ssl

import httpx
import pytest

from burstctl.attempt import Fault
from burstctl.send.fault import classify


def os_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@pytest.mark.parametrize(
    ("error", "cause", "fault", "detail"),
    [
        (httpx.ConnectError(""), os_error(errno.ECONNREFUSED), Fault.CONNECT, "connection refused"),
        (httpx.ConnectError(""), os_error(errno.EMFILE), Fault.FILES, "no file descriptor left"),
        (httpx.ConnectError(""), os_error(errno.EADDRNOTAVAIL), Fault.PORTS, "no local port left"),
        (
            httpx.ConnectError(""),
            ExceptionGroup("", [os_error(errno.EADDRNOTAVAIL), os_error(errno.ECONNREFUSED)]),
            Fault.CONNECT,
            "connection refused",
        ),
        (
            httpx.ConnectError(""),
            ExceptionGroup("", [os_error(errno.EADDRNOTAVAIL)] * 2),
            Fault.PORTS,
            "no local port left",
        ),
        (
            httpx.ConnectError(""),
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            Fault.DNS,
            "name not resolved: name or service not known",
        ),
        (httpx.ConnectError(""), ssl.SSLError(1, "handshake"), Fault.TLS, "handshake failed"),
        (httpx.ConnectTimeout(""), TimeoutError(), Fault.CONNECT, "no connection in time"),
        (httpx.ReadError(""), os_error(errno.ECONNRESET), Fault.RESET, "connection reset by peer"),
        (httpx.WriteError(""), os_error(errno.EPIPE), Fault.RESET, "broken pipe"),
        (httpx.RemoteProtocolError("gibberish"), None, Fault.PROTOCOL, "the answer is not valid HTTP"),
        (httpx.LocalProtocolError("not a method"), None, Fault.REQUEST, "the request can't be sent: not a method"),
    ],
)
def test_the_cause_decides(error: Exception, cause: Exception | None, fault: Fault, detail: str) -> None:
    error.__cause__ = cause
    assert classify(error) == (fault, detail)
