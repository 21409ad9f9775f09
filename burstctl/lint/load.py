"""What load a job puts on a server, as rules see it, and the script to look for it in. Knows no rule and no dialect."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from burstctl.finding import Confidence, Severity
from burstctl.light import field, light
from burstctl.lint.file import Span
from burstctl.lint.job import Job, Script
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings
from burstctl.lint.shell.model import Command, Shell


class Kind(StrEnum):
    """How the load comes about."""

    LOOP = "loop"
    """Requests one after the other: bounded by latency alone."""
    BACKGROUND = "background"
    """Requests that a loop starts without waiting for them."""
    FAN_OUT = "fan-out"
    """Requests that a program starts many at a time."""
    TOOL = "tool"
    """A load generator."""
    PROGRAM = "program"
    """A program of the project's own."""
    BURSTCTL = "burstctl"


@light
class Load:
    """Something in a job that sends many requests."""

    kind: Kind
    tool: str
    """The program's name."""
    span: Span
    """What to look at: the loop, the fan-out, else the command."""
    command_span: Span
    inference: bool
    """By URL, job or tool it is inference requests, or load for load's sake."""
    local: bool = False
    """Its target is the job's own machine."""
    limited: bool = False
    """Something bounds its rate: a flag, a pause, a scenario file, burstctl itself."""
    rate_per_s: float | None = None
    """The whole rate of one instance of the job, where it can be known."""
    divided: bool = False
    """It divides its rate by the number of instances itself."""
    closed_loop: bool = False
    """Bounded by its number of users only, so the server's slowness is its only limit."""
    confidence: Confidence = Confidence.CERTAIN
    note: str | None = None
    """What else to say of it: where the rate stands, what is missing."""
    rate_span: Span | None = None
    """Where the rate stands."""
    rate_text: str | None = None
    """The rate as it is given, variables replaced as far as they are known."""
    workers: int = 1
    """By how many the tool multiplies the rate that it is given."""
    endless: bool = False
    """Nothing ends it but the job's timeout."""
    hosts: tuple[str, ...] = ()
    """Where it sends, as far as that is known."""
    path: str | None = None
    """The scenario file or manifest that it reads, below the project's root."""

    @property
    def severity(self) -> Severity | None:
        """Give a notice for what stays on the job's own machine; None leaves it to the rule."""
        return Severity.NOTICE if self.local else None


@light
class Storm:
    """Requests that are repeated without a pause until they are answered."""

    span: Span
    message: str
    local: bool


@light
class Opaque:
    """A command whose work can't be followed."""

    span: Span
    what: str


@light
class Scene:
    """One script of a job, read, for those who look for load in it."""

    job: Job
    script: Script
    shell: Shell
    settings: Settings
    project: Project
    callers: tuple[tuple[Scene, Command], ...] = ()
    """The commands that have led to this script, the job's own first."""
    given: Mapping[str, str] = field(default_factory=dict)
    """Arguments (`1`, `2`…) and variables that the caller sets for it."""
    folder: str = ""
    """Where the script's file is, below the root."""
    names: tuple[str, ...] = ()
    """What it runs of the files that are followed: a cycle ends there."""

    def around(self, command: Command) -> tuple[tuple[Scene, Command], ...]:
        """Give a command and those that have led to it, itself first."""
        return ((self, command), *reversed(self.callers))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Detector(Protocol):
        """Finds one kind of load in a script."""

        def __call__(self, scene: Scene, command: Command) -> Load | None:
            """Tell what load a command is; None if it is none, or another detector's."""
            ...
