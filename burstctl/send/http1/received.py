"""Headers as they were received, turned into text. Knows nothing of what they mean."""

from collections.abc import Sequence

_MOST_CACHED = 1024
_LONGEST_CACHED = 128


class HeaderReader:
    """Decodes headers; what a server sends with every answer is decoded once."""

    __slots__ = ("_last", "_last_raw", "_pairs")

    def __init__(self) -> None:
        self._pairs: dict[tuple[bytes, bytes], tuple[str, str]] = {}
        self._last_raw: Sequence[tuple[bytes, bytes]] = ()
        self._last: tuple[tuple[str, str], ...] = ()

    def read(self, raw: Sequence[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
        """Give names in lower case, and values as UTF-8 or, where they are not, as Latin-1."""
        if raw != self._last_raw:  # within a second most answers differ in nothing
            pairs = self._pairs
            self._last = tuple([pairs.get(header) or self._decode(header) for header in raw])
            self._last_raw = raw
        return self._last

    def _decode(self, header: tuple[bytes, bytes]) -> tuple[str, str]:
        name, value = header
        try:
            text = value.decode()
        except UnicodeDecodeError:
            text = value.decode("latin-1")
        pair = name.decode("latin-1").lower(), text
        if len(value) <= _LONGEST_CACHED:
            if len(self._pairs) >= _MOST_CACHED:
                self._pairs.clear()
            self._pairs[header] = pair
        return pair
