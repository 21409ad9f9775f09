"""Messages over a pipe between this program and itself: a length, then a pickle. Knows no message."""

import asyncio
import pickle
from collections.abc import Callable

_LENGTH = 8


def pack(message: object) -> bytes:
    """Write a message for `Unpacker`."""
    body = pickle.dumps(message, pickle.HIGHEST_PROTOCOL)
    return len(body).to_bytes(_LENGTH, "big") + body


class Unpacker(asyncio.Protocol):
    """Hands over each message of a pipe once it is whole, and then the pipe's end."""

    def __init__(self, take: Callable[[object], None], end: Callable[[], None]) -> None:
        self._take = take
        self._end = end
        self._buffer = bytearray()

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= _LENGTH and len(buffer) >= (size := _LENGTH + int.from_bytes(buffer[:_LENGTH], "big")):
            message = pickle.loads(buffer[_LENGTH:size])  # noqa: S301 - nobody else has the other end
            del buffer[:size]
            self._take(message)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
