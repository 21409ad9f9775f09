"""HdrHistogram's V2 encoding: a header, ZigZag LEB128 counts with runs of zeros as negative ones, zlib, base64."""

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator

from burstctl.hdrhistogram.counts import HIGHEST, LOWEST, SIGNIFICANT_DIGITS, most_places

_COOKIE = 0x1C849303 | 0x10
_COMPRESSED_COOKIE = 0x1C849304 | 0x10
_HEADER = struct.Struct(">iiiiqqd")
"""Cookie, bytes of counts, offset of the first count, significant digits, lowest and highest value, factor."""
_COMPRESSED_HEADER = struct.Struct(">ii")
_MOST_BYTES = 9
"""Of one number; the last one carries eight bits instead of seven and a mark."""
_MOST_PAYLOAD = 2**20
"""Bytes of counts that are unpacked: several times what fits into the range."""


def encode(counts: Iterable[int]) -> str:
    """Write a counts array as logs carry it."""
    payload = bytearray()
    for number in _with_runs(counts):
        zigzag = number * 2 if number >= 0 else -number * 2 - 1
        if zigzag <= 0x7F:  # nearly all of them
            payload.append(zigzag)
        else:
            payload += _varint(zigzag)
    plain = _HEADER.pack(_COOKIE, len(payload), 0, SIGNIFICANT_DIGITS, LOWEST, HIGHEST, 1.0) + payload
    packed = zlib.compress(plain)
    return base64.b64encode(_COMPRESSED_HEADER.pack(_COMPRESSED_COOKIE, len(packed)) + packed).decode("ascii")


def decode(text: str) -> list[int]:
    """Read a counts array of the range and digits that `encode` writes; `ValueError` for anything else."""
    try:
        data = base64.b64decode(text, validate=True)
        cookie, length = _COMPRESSED_HEADER.unpack_from(data)
        packed = data[_COMPRESSED_HEADER.size :]
        plain = zlib.decompressobj().decompress(packed, _MOST_PAYLOAD)
        header = _HEADER.unpack_from(plain)
    except (struct.error, zlib.error, ValueError) as error:
        raise ValueError(f"not an HdrHistogram: {error}") from error
    payload = plain[_HEADER.size :]
    if cookie != _COMPRESSED_COOKIE or length != len(packed):
        raise ValueError("not an HdrHistogram: its header is broken")
    if header != (_COOKIE, len(payload), 0, SIGNIFICANT_DIGITS, LOWEST, HIGHEST, 1.0):
        raise ValueError("an HdrHistogram of another version, range or precision")
    return _without_runs(_numbers(payload))


def _with_runs(counts: Iterable[int]) -> Iterator[int]:
    """Give the counts, each run of zeros as minus its length."""
    zeros = 0
    for count in counts:
        if not count:
            zeros += 1
            continue
        if zeros:
            yield -zeros
            zeros = 0
        yield count
    if zeros:
        yield -zeros


def _without_runs(numbers: Iterable[int]) -> list[int]:
    counts: list[int] = []
    for number in numbers:
        run = max(1, -number)
        if len(counts) + run > most_places():
            raise ValueError("an HdrHistogram with more counts than its range has")
        counts.extend([max(0, number)] * run)
    return counts


def _numbers(payload: bytes) -> Iterator[int]:
    at = 0
    while at < len(payload):
        number = shift = 0
        for place in range(_MOST_BYTES):
            if at >= len(payload):
                raise ValueError("an HdrHistogram that is cut off")
            byte = payload[at]
            at += 1
            last = place == _MOST_BYTES - 1
            number |= (byte if last else byte & 0x7F) << shift
            if last or not byte & 0x80:
                break
            shift += 7
        yield number >> 1 if not number & 1 else -(number >> 1) - 1


def _varint(number: int) -> bytes:
    written = bytearray()
    while number > 0x7F and len(written) < _MOST_BYTES - 1:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)
