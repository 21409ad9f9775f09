"""Sorts what can go wrong on the network into faults. The texts are for people and for grouping: no ports, no times."""

import errno
import os
import socket
import ssl
from collections.abc import Iterator

import anyio
import httpx

from burstctl.attempt import Fault

NETWORK_ERRORS = (
    httpx.TransportError,
    httpx.InvalidURL,
    OSError,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    anyio.EndOfStream,
)
"""Everything that a transport raises for the network's sake; anything else is a bug."""

_FILES = {errno.EMFILE, errno.ENFILE}
_PORTS = {errno.EADDRNOTAVAIL, errno.EADDRINUSE}
_RESET = {errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED, errno.ENOTCONN}
_CLOSED = ("disconnected", "closed connection", "incomplete", "without sending", "terminated")


def classify(error: BaseException) -> tuple[Fault, str]:
    """Name the fault behind a transport's error, and say in words what happened."""
    for cause in _causes(error):
        if isinstance(cause, socket.gaierror):
            return Fault.DNS, f"name not resolved: {(cause.strerror or 'unknown error').lower()}"
        if isinstance(cause, ssl.SSLError):
            return Fault.TLS, _tls_text(cause)
    numbers = _errnos(error)
    if _FILES & set(numbers):
        return Fault.FILES, "no file descriptor left"
    # Without IPv6 on a machine, ::1 can't be reached by this very error: the other addresses tell the reason.
    if numbers and _PORTS.issuperset(numbers):
        return Fault.PORTS, "no local port left"
    if isinstance(error, httpx.ConnectTimeout):
        return Fault.CONNECT, "no connection in time"
    if isinstance(error, httpx.ConnectError | httpx.ProxyError):
        return Fault.CONNECT, _os_text(error) or "no connection"
    if isinstance(error, httpx.TimeoutException):
        return Fault.TIMEOUT, "no answer in time"
    if isinstance(error, httpx.LocalProtocolError | httpx.InvalidURL | httpx.UnsupportedProtocol):
        return Fault.REQUEST, f"the request can't be sent: {error}"
    if isinstance(error, httpx.RemoteProtocolError):
        if any(word in str(error).lower() for word in _CLOSED):
            return Fault.RESET, "connection closed before the answer was whole"
        return Fault.PROTOCOL, "the answer is not valid HTTP"
    if isinstance(error, httpx.NetworkError | OSError | anyio.BrokenResourceError | anyio.EndOfStream):
        return Fault.RESET, _os_text(error) or "connection broken"
    return Fault.PROTOCOL, type(error).__name__


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Give an error and everything that led to it, also where several connection attempts failed at once."""
    seen: set[int] = set()
    todo: list[BaseException | None] = [error]
    while todo:
        one = todo.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            todo.extend(one.exceptions)
        todo.extend((one.__cause__, one.__context__))


def _errnos(error: BaseException) -> list[int]:
    return [cause.errno for cause in _causes(error) if isinstance(cause, OSError) and cause.errno]


def _os_text(error: BaseException) -> str | None:
    numbers = _errnos(error)
    return next((os.strerror(number).lower() for number in numbers if number not in _PORTS), None)


def _tls_text(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"certificate not trusted: {error.verify_message}"
    return (getattr(error, "reason", None) or "handshake failed").lower().replace("_", " ")
