"""What a crew's parent and its workers tell each other; values only. Knows no pipes."""

from dataclasses import dataclass

from burstctl.cli.resolve import Told
from burstctl.exit_code import ExitCode
from burstctl.pace.share.split import Share
from burstctl.record.merge import Part
from burstctl.record.recorder import Recorder
from burstctl.record.summarize import Course

REPORT_S = 0.25
"""Seconds between two reports of a worker."""


@dataclass(frozen=True, slots=True)
class Job:
    """The first order of all: what to send."""

    told: Told
    share: Share
    stdout: int | None
    """The user's standard output, where a report goes there as the run goes: a worker's own leads to its parent."""


@dataclass(frozen=True, slots=True)
class Start:
    """The order to begin."""

    start_s: float
    """When the first request of the whole run is due; the system's monotonic clock."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Everything is loaded; only the start is missing."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What has happened since the last report."""

    part: Part
    said: tuple[str, ...]
    """Lines for the user."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The figures of a whole share, the last `Progress` having gone before."""

    recorder: Recorder
    course: Course
    notes: tuple[str, ...]
    crash: str | None
    unwritten: str | None
    """Why lines of the log of answers are missing."""
    unstreamed: tuple[str, ...]
    """Which reports lack lines that should have been written as the run went, and why."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a worker can't begin, or a bug outside of its run."""

    message: str
    hint: str | None
    exit_code: ExitCode
