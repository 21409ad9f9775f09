"""Undoes a body's Content-Encoding piece by piece, never beyond a bound. Knows nothing of connections."""

import zlib
from collections.abc import Sequence
from typing import Protocol

_MOST_CODINGS = 4
"""More layers than that are an attack, not an answer."""

_GZIP, _RAW = zlib.MAX_WBITS | 16, -zlib.MAX_WBITS


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
    """Choose by header value; raises `DecodeError` for codings piled up.

    What was never asked for (br, zstd…) passes through as it is, with all that it wraps.
    """
    layers: list[Decoder] = []
    if content_encoding:
        # Listed as they were applied: the last one is the outermost.
        for coding in reversed([word.strip().lower() for word in content_encoding.split(",")]):
            if coding in {"gzip", "x-gzip", "deflate"}:
                layers.append(_Inflate(max_body, raw_allowed=coding == "deflate"))
            elif coding not in {"", "identity"}:
                break
    if len(layers) > _MOST_CODINGS:
        raise DecodeError(f"more than {_MOST_CODINGS} codings")
    if not layers:
        return _Identity(max_body)
    return layers[0] if len(layers) == 1 else _Stack(layers)


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


class _Stack:
    """Several codings, the outermost first; each is bounded by itself."""

    __slots__ = ("_layers",)

    def __init__(self, layers: Sequence[Decoder]) -> None:
        self._layers = layers

    def feed(self, piece: bytes) -> bytes:
        for layer in self._layers:
            piece = layer.feed(piece)
        return piece

    def finish(self) -> None:
        for layer in self._layers:
            layer.finish()


class _Inflate:
    """gzip with one member or more, zlib, or deflate without zlib's header, as the first two bytes show.

    A bomb is stopped at the bound, before it is in memory. What follows the end and is no gzip member is ignored.
    """

    __slots__ = ("_ended", "_gzip", "_left", "_raw_allowed", "_stream", "_undecided")

    def __init__(self, max_body: int, *, raw_allowed: bool) -> None:
        self._left = max_body
        self._raw_allowed = raw_allowed
        self._stream = zlib.decompressobj()
        self._gzip = False
        self._undecided: bytes | None = b""
        """What came before it was clear what follows; None while a stream is under way."""
        self._ended = False

    def feed(self, piece: bytes) -> bytes:
        decoded = []
        while piece and not self._ended:
            if self._undecided is not None:
                piece = self._undecided + piece
                if len(piece) < 2:
                    self._undecided = piece
                    break
                self._undecided = None
                if not self._begin(piece):
                    self._ended = True
                    break
            decoded.append(self._inflate(piece))
            piece = self._stream.unused_data
            if self._stream.eof:
                self._undecided = b""
        return decoded[0] if len(decoded) == 1 else b"".join(decoded)

    def finish(self) -> None:
        begun = self._undecided != b""
        if begun and not self._stream.eof:
            raise DecodeError("the compressed body ends too early")

    def _begin(self, start: bytes) -> bool:
        """Choose how to read what starts there; False where a whole stream is done and this is no other one."""
        again = self._stream.eof
        if start[:2] == b"\x1f\x8b":
            if again and not self._gzip:
                return False
            self._gzip = True
            self._stream = zlib.decompressobj(_GZIP)
        elif again:
            return False
        elif self._raw_allowed and (start[0] & 15 != 8 or int.from_bytes(start[:2]) % 31 != 0):
            self._stream = zlib.decompressobj(_RAW)
        return True

    def _inflate(self, piece: bytes) -> bytes:
        try:
            decoded = self._stream.decompress(piece, self._left + 1)
        except zlib.error as error:
            raise DecodeError(str(error)) from error
        self._left -= len(decoded)
        if self._left < 0:
            raise TooLargeError
        return decoded
