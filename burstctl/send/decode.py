"""Undoes a body's Content-Encoding piece by piece, never beyond a bound. Knows nothing of connections."""

import zlib
from typing import Protocol


class DecodeError(Exception):
    """The body is not what its Content-Encoding says."""


class TooLargeError(Exception):
    """The body passes its bound."""


class Decoder(Protocol):
    """Takes pieces as received, gives them decoded."""

    def feed(self, piece: bytes) -> bytes: ...

    def finish(self) -> None:
        """Tell whether the body was whole; raises `DecodeError` if not."""
        ...


def decoder_for(content_encoding: str, max_body: int) -> Decoder:
    """Choose by header value; what was never asked for (br, zstd…) passes through as it is."""
    coding = content_encoding.strip().lower()
    if coding in {"gzip", "x-gzip", "deflate"}:
        return _Inflate(max_body)
    return _Identity(max_body)


class _Identity:
    __slots__ = ("_left",)

    def __init__(self, max_body: int) -> None:
        self._left = max_body

    def feed(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            raise TooLargeError
        return piece

    def finish(self) -> None:
        """Any end is a good end: the transport checks the framing."""


class _Inflate:
    """zlib and gzip streams alike; a bomb is stopped at the bound, before it is in memory."""

    __slots__ = ("_begun", "_left", "_zlib")

    def __init__(self, max_body: int) -> None:
        self._begun = False
        self._left = max_body
        self._zlib = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)

    def feed(self, piece: bytes) -> bytes:
        self._begun = True
        try:
            decoded = self._zlib.decompress(piece, self._left + 1)
        except zlib.error as error:
            raise DecodeError(str(error)) from error
        self._left -= len(decoded)
        if self._left < 0:
            raise TooLargeError
        return decoded

    def finish(self) -> None:
        if self._begun and not self._zlib.eof:
            raise DecodeError("the compressed body ends too early")
