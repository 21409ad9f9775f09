"""Tells errors that keep coming from errors by chance, over the answers of the last seconds."""

from collections import deque

_SPAN_S = 2.0
_SHARE = 0.10
_FEWEST = 20


class ErrorShare:
    """Counts answers and the ambiguous errors among them."""

    __slots__ = ("_errors", "_recent")

    def __init__(self) -> None:
        self._recent: deque[tuple[float, bool]] = deque()
        self._errors = 0

    def note(self, now_s: float, *, error: bool) -> None:
        self._recent.append((now_s, error))
        self._errors += error
        while self._recent[0][0] < now_s - _SPAN_S:
            self._errors -= self._recent.popleft()[1]

    def is_high(self) -> bool:
        """Tell whether errors are too many to be chance."""
        return len(self._recent) >= _FEWEST and self._errors > _SHARE * len(self._recent)
