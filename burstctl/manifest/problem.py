"""What may be wrong with a manifest or its data, as values. Knows no positions and no wording of reports."""

from dataclasses import dataclass

from burstctl.source import Path


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend."""

    path: Path
    """Where, in the manifest."""
    message: str
    hint: str | None = None
    of_key: bool = False
    """It is the key that is wrong, not its value."""


class RejectedError(ValueError):
    """A value of the manifest can't be used; the message says what was expected."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UnfitRowError(ValueError):
    """A row's value can't go where the manifest puts it; `example` shows it."""

    def __init__(self, message: str, example: str) -> None:
        super().__init__(message)
        self.example = example
