"""A request as the bytes of HTTP/1.1; refuses whatever would break its framing. Knows nothing of connections."""

import re
from collections.abc import Iterable

import httpx

_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(rb"[!-~]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

_ANY, _HOST, _LENGTH = 0, 1, 2
_LENGTH_EXPECTED = frozenset({"POST", "PUT", "PATCH"})
_MOST_CACHED = 1024


class RequestEncoder:
    """Encodes requests to one host; request lines and header names are looked at once."""

    __slots__ = ("_host", "_names", "_starts")

    def __init__(self, host: bytes) -> None:
        self._host = host
        self._starts: dict[tuple[str, bytes], bytes] = {}
        self._names: dict[bytes, tuple[int, bytes]] = {}

    def encode(self, method: str, target: bytes, headers: Iterable[tuple[bytes, bytes]], body: bytes) -> bytes:
        """Give head and body in one piece; adds Host and Content-Length where they are missing, and nothing else.

        Raises `httpx.LocalProtocolError`, whose text holds no header's value.
        """
        pieces = [self._starts.get((method, target)) or self._start(method, target)]
        seen = 0
        for name, value in headers:
            kind, start = self._names.get(name) or self._name(name)
            if _CONTROL.search(value):
                raise httpx.LocalProtocolError(f"a control character in the value of {name.decode('ascii')}")
            if kind:
                if seen & kind:
                    raise httpx.LocalProtocolError(f"{name.decode('ascii')} is there twice")
                if kind == _LENGTH and value != b"%d" % len(body):
                    raise httpx.LocalProtocolError("Content-Length is not the length of the body")
                seen |= kind
            pieces += (start, value, b"\r\n")
        if not seen & _HOST:
            pieces.insert(1, b"Host: %b\r\n" % self._host)
        if not seen & _LENGTH and (body or method in _LENGTH_EXPECTED):
            pieces.append(b"Content-Length: %d\r\n" % len(body))
        pieces += (b"\r\n", body)
        return b"".join(pieces)

    def _start(self, method: str, target: bytes) -> bytes:
        verb = method.encode("ascii", "replace")
        # What CONNECT would open is a tunnel, and no connection of ours any more.
        if not _TOKEN.fullmatch(verb) or method == "CONNECT":
            raise httpx.LocalProtocolError("not a request method")
        if not _TARGET.fullmatch(target):
            raise httpx.LocalProtocolError("a blank, a control character or a non-ASCII one in the path")
        start = b"%b %b HTTP/1.1\r\n" % (verb, target)
        if len(self._starts) < _MOST_CACHED:
            self._starts[method, target] = start
        return start

    def _name(self, name: bytes) -> tuple[int, bytes]:
        if not _TOKEN.fullmatch(name):
            raise httpx.LocalProtocolError("not a header name")
        lowered = name.lower()
        if lowered == b"transfer-encoding":
            raise httpx.LocalProtocolError("bodies are sent whole, without Transfer-Encoding")
        kind = _HOST if lowered == b"host" else _LENGTH if lowered == b"content-length" else _ANY
        entry = (kind, name + b": ")
        if len(self._names) < _MOST_CACHED:
            self._names[name] = entry
        return entry
