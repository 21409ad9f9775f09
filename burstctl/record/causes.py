"""Counts like failures together, with one example each, in bounded memory whatever a server makes up."""

from burstctl.attempt import Attempt, Failure
from burstctl.secret import Redactor
from burstctl.summary import Cause

_KINDS = 100
_OTHER = "other causes"
_SHOWN = 200


class Causes:
    """Groups by `Failure.cause`; what servers wrote is redacted on its way in."""

    __slots__ = ("_counts", "_examples", "_redactor")

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._counts: dict[str, int] = {}
        self._examples: dict[str, str] = {}

    def add(self, failure: Failure, count: int = 1) -> None:
        cause = failure.cause
        if cause not in self._counts:
            if len(self._counts) >= _KINDS:
                cause = _OTHER
            # Masked first and cut then: half a secret would not be recognised.
            self._examples.setdefault(cause, _cut(self._redactor.redact(failure.example)))
        self._counts[cause] = self._counts.get(cause, 0) + count

    def merge(self, other: "Causes") -> None:
        for cause, count in other._counts.items():
            self._examples.setdefault(cause, other._examples[cause])
            self._counts[cause] = self._counts.get(cause, 0) + count

    def listed(self) -> tuple[Cause, ...]:
        """Give them with the most frequent first."""
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(Cause(_cut(self._redactor.redact(cause)), n, self._examples[cause]) for cause, n in ordered)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def failure_of(attempt: Attempt) -> Failure:
    """Say why an attempt failed."""
    if attempt.mismatch is not None:
        return attempt.mismatch
    answer = attempt.answer
    assert answer.fault is not None
    return Failure(f"{answer.fault}: {answer.detail}" if answer.detail else str(answer.fault))
