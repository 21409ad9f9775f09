"""Two results held against each other, as a value: what reports render and the exit code follows. Compares nothing."""

from dataclasses import dataclass

from burstctl.exit_code import ExitCode
from burstctl.gate import Result


@dataclass(frozen=True, slots=True)
class Row:
    """One metric in both runs, in its unit; None without data."""

    metric: str
    scope: str | None
    base: float | None
    new: float | None
    allowed: str = ""
    """How much worse it may get, as it was written; empty: it is shown only."""
    result: Result = Result.PASS
    reason: str = ""

    @property
    def label(self) -> str:
        return self.metric if self.scope is None else f"{self.scope}: {self.metric}"

    @property
    def change(self) -> float | None:
        """The relative change; None where the base is 0 or there is no data."""
        if self.base is None or self.new is None or self.base == 0:
            return None
        return self.new / self.base - 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """The end of a comparison in one value."""

    base_file: str
    new_file: str
    result: Result
    exit_code: ExitCode
    reasons: tuple[str, ...]
    """In words, the most important first; empty exactly for a pass."""
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
