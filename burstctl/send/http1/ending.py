"""What it means for an answer that its connection has ended, in httpx's terms. Knows only what came in so far."""

import errno
import ssl

import httpx

from burstctl.send.http1.reply import Reply

_FRAMING = frozenset({b"content-length", b"transfer-encoding"})


def may_end_here(reply: Reply) -> bool:
    """Tell whether nothing but the connection's end marks the end of the body."""
    return reply.status is not None and not any(name.lower() in _FRAMING for name, _ in reply.headers)


def broken_off(reply: Reply, exc: Exception | None, *, received: bool) -> httpx.TransportError:
    """Make the error of an answer that ended too early; `received` tells whether anything of its head came."""
    if exc is not None and not isinstance(exc, ssl.SSLEOFError):
        if isinstance(exc, OSError) and exc.errno == errno.EPIPE:
            return httpx.WriteError(str(exc))
        return httpx.ReadError(str(exc))
    if reply.status is None and not received:
        return httpx.RemoteProtocolError("server disconnected without sending a response")
    return httpx.RemoteProtocolError("peer closed connection without sending a complete answer")
