"""A request as the bytes of HTTP/1.1; refuses whatever would break its framing. Knows nothing of connections."""

import re
from collections.abc import Iterable
from typing import TypeVar

import httpx

_TOKEN = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_TARGET = re.compile(rb"[!-~]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0a-\x1f\x7f]")

_ANY, _HOST, _LENGTH = 0, 1, 2
_LENGTH_EXPECTED = frozenset({"POST", "PUT", "PATCH"})
_MOST_CACHED = 1024

K = TypeVar("K")
V = TypeVar("V")
Header = tuple[str, str] | tuple[bytes, bytes]


class RequestEncoder:
    """Encodes requests to one host; what comes again, most request lines and headers, is looked at once."""

    __slots__ = ("_fields", "_host", "_leading", "_starts")

    def __init__(self, host: bytes) -> None:
        self._host = b"Host: %b\r\n" % host
        self._starts: dict[tuple[str, str], bytes] = {}
        self._fields: dict[str | bytes, _Field] = {}
        self._leading = _Leading((), b"", 0)

    def encode(self, method: str, target: str, headers: Iterable[Header], body: bytes) -> bytes:
        """Give head and body in one piece; adds Host and Content-Length where they are missing, and nothing else.

        Raises `httpx.LocalProtocolError`, whose text holds no header's value.
        """
        leading, given = self._leading, tuple(headers)
        count = len(leading.headers)
        if given[:count] != leading.headers:
            leading, count = _Leading((), b"", 0), 0
        pieces = [self._starts.get((method, target)) or self._start(method, target), self._host, leading.lines]
        fields, seen = self._fields, leading.seen
        for name, value in given[count:]:
            field = fields.get(name) or self._field(name)
            if field.value != value:
                field.set(value)
            kind = field.kind
            if kind:
                if seen & kind:
                    raise httpx.LocalProtocolError(f"{_name_in(field.start)} is there twice")
                if kind == _LENGTH and field.line.partition(b": ")[2] != b"%d\r\n" % len(body):
                    raise httpx.LocalProtocolError("Content-Length is not the length of the body")
                seen |= kind
            pieces.append(field.line)
        if seen & _HOST:
            del pieces[1]
        if not seen & _LENGTH and (body or method in _LENGTH_EXPECTED):
            pieces.append(b"Content-Length: %d\r\n" % len(body))
        pieces.append(b"\r\n")
        pieces.append(body)
        if not count:
            self._leading = self._lead(given)
        return b"".join(pieces)

    def _lead(self, headers: tuple[Header, ...]) -> "_Leading":
        """Take the headers up to the first that changes from request to request, or that depends on the body."""
        lines, seen = b"", 0
        for count, (name, _) in enumerate(headers):
            field = self._fields.get(name)
            # What was set twice changes, or stands there twice; and there may have been no room for it.
            if field is None or field.changes > 1 or field.kind == _LENGTH:
                return _Leading(headers[:count], lines, seen)
            lines += field.line
            seen |= field.kind
        return _Leading(headers, lines, seen)

    def _start(self, method: str, target: str) -> bytes:
        verb, path = method.encode("ascii", "replace"), target.encode()
        # What CONNECT would open is a tunnel, and no connection of ours any more.
        if not _TOKEN.fullmatch(verb) or method == "CONNECT":
            raise httpx.LocalProtocolError("not a request method")
        if not _TARGET.fullmatch(path):
            raise httpx.LocalProtocolError("a blank, a control character or a non-ASCII one in the path")
        start = b"%b %b HTTP/1.1\r\n" % (verb, path)
        _room_in(self._starts)[method, target] = start
        return start

    def _field(self, name: str | bytes) -> "_Field":
        raw = _encode(name)
        if not _TOKEN.fullmatch(raw):
            raise httpx.LocalProtocolError("not a header name")
        lowered = raw.lower()
        if lowered == b"transfer-encoding":
            raise httpx.LocalProtocolError("bodies are sent whole, without Transfer-Encoding")
        kind = _HOST if lowered == b"host" else _LENGTH if lowered == b"content-length" else _ANY
        field = _Field(kind, b"%b: " % raw)
        _room_in(self._fields)[name] = field
        return field


class _Leading:
    """Headers that the last requests began with, encoded."""

    __slots__ = ("headers", "lines", "seen")

    def __init__(self, headers: tuple[Header, ...], lines: bytes, seen: int) -> None:
        self.headers = headers
        self.lines = lines
        self.seen = seen


class _Field:
    """A header's line with its last value: most never change, and those that do never come back."""

    __slots__ = ("changes", "kind", "line", "start", "value")

    def __init__(self, kind: int, start: bytes) -> None:
        self.kind = kind
        self.start = start
        self.value: str | bytes | None = None
        self.line = b""
        self.changes = 0

    def set(self, value: str | bytes) -> None:
        raw = _encode(value)
        if _CONTROL.search(raw):
            raise httpx.LocalProtocolError(f"a control character in the value of {_name_in(self.start)}")
        self.line = self.start + raw + b"\r\n"
        self.value = value
        self.changes += 1


def _encode(text: str | bytes) -> bytes:
    try:
        return text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise httpx.LocalProtocolError("a header holds text that is not valid Unicode") from error


def _room_in(cache: dict[K, V]) -> dict[K, V]:
    """Give a cache with room for one more: requests that are all different must not fill the memory."""
    if len(cache) >= _MOST_CACHED:
        cache.clear()
    return cache


def _name_in(line: bytes) -> str:
    return line.partition(b":")[0].decode("ascii")
