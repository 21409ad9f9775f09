"""The answers of the last seconds: how many good ones, and whether others are too many to be chance."""

from collections import deque
from enum import Enum

_SPAN_S = 2.0
_SHARE = 0.10
_FEWEST = 20


class Kind(Enum):
    """What an answer says of the server's health."""

    GOOD = "good"
    FULL = "full"
    NEUTRAL = "neutral"
    ERROR = "error"


class Recent:
    """Counts answers by kind over `_SPAN_S`."""

    __slots__ = ("_answers", "_errors", "_full", "_good", "_since_s")

    def __init__(self) -> None:
        self._answers: deque[tuple[float, Kind]] = deque()
        self._errors = self._full = self._good = 0
        self._since_s: float | None = None

    def note(self, now_s: float, kind: Kind) -> None:
        """Count an answer."""
        if self._since_s is None:
            self._since_s = now_s
        self._answers.append((now_s, kind))
        self._good += kind is Kind.GOOD
        self._full += kind is Kind.FULL
        self._errors += kind is Kind.ERROR
        self._forget(now_s)

    def errors_are_many(self) -> bool:
        """Tell whether errors are too many to be chance."""
        return len(self._answers) >= _FEWEST and self._errors > _SHARE * len(self._answers)

    def refusals_are_many(self) -> bool:
        """Tell whether 503s are too many to be chance."""
        return len(self._answers) >= _FEWEST and self._full > _SHARE * len(self._answers)

    def good_per_s(self, now_s: float) -> float:
        """Tell the rate of good answers over the last seconds, or since the first answer."""
        self._forget(now_s)
        if self._since_s is None or now_s <= self._since_s:
            return 0.0
        return self._good / min(_SPAN_S, now_s - self._since_s)

    def _forget(self, now_s: float) -> None:
        while self._answers and self._answers[0][0] < now_s - _SPAN_S:
            _, kind = self._answers.popleft()
            self._good -= kind is Kind.GOOD
            self._full -= kind is Kind.FULL
            self._errors -= kind is Kind.ERROR
