"""Judges a summary by its thresholds: one verdict, from which report, exit code and first line all follow."""

from dataclasses import dataclass
from enum import StrEnum

from burstctl.exit_code import ExitCode
from burstctl.threshold import Threshold


class Result(StrEnum):
    """The verdict's public words."""

    PASS = "pass"
    FAIL = "fail"
    UNAVAILABLE = "unavailable"
    INCONCLUSIVE = "inconclusive"
    NOTHING = "nothing"
    INTERRUPTED = "interrupted"
    INTERNAL = "internal"


class Status(StrEnum):
    """How one threshold came out."""

    PASS = "pass"
    FAIL = "fail"
    NO_DATA = "no_data"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One threshold, held against the run."""

    threshold: Threshold
    observed: float | None
    status: Status
    reason: str = ""
    """In words, where it did not pass."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The end of the run in one value."""

    result: Result
    exit_code: ExitCode
    reasons: tuple[str, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    warnings: tuple[str, ...] = ()
