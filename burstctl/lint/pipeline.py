"""A pipeline as a dialect has read it, and what rules and readers say of it. Knows no dialect and no rule."""

from __future__ import annotations

from collections.abc import Iterator

from burstctl.finding import Confidence, Origin, Severity
from burstctl.light import light
from burstctl.lint.file import File, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from burstctl.lint.edit import Fix
    from burstctl.lint.fleet import Fleet
    from burstctl.lint.job import Job, Variable
    from burstctl.lint.manifest.model import Manifest


@light
class Hit:
    """What a rule or reader has seen; severity and confidence are the rule's own unless given."""

    code: str
    span: Span
    message: str
    job: str | None = None
    hint: str | None = None
    severity: Severity | None = None
    confidence: Confidence | None = None
    key: str = ""
    """What tells two hits of one rule in one job apart, without positions: part of the fingerprint."""
    fix: Fix | None = None


@light
class Block:
    """A part of a pipeline that jobs inherit from: a hidden job, the defaults, global variables."""

    name: str
    key: Span
    body: Span


@light
class Pipeline:
    """One pipeline: a root file and all that it includes."""

    dialect: str
    file: File
    jobs: tuple[Job, ...] = ()
    hits: tuple[Hit, ...] = ()
    """What reading it has shown; each code has its rule all the same."""
    files: tuple[File, ...] = ()
    """All that were read, the root first."""
    blocks: tuple[Block, ...] = ()
    stages: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    """Global ones, all definitions."""
    group: str | None = None
    """Under which the CI system runs one such pipeline at a time."""
    partial: bool = False
    """Something that it includes can't be read."""
    manifest: Manifest | None = None
    """A burst manifest, which is no pipeline: it has no jobs."""
    fleet: Fleet | None = None
    """What files other than a CI system's declare: Terraform, units, Dockerfiles."""

    def noted(self, code: str) -> Iterator[Hit]:
        """Give what the reader has seen for a rule."""
        return (hit for hit in self.hits if hit.code == code)

    def origin(self, hit: Hit) -> Origin | None:
        """Say where a job has a text from that doesn't stand in its own definition."""
        job = next((job for job in self.jobs if job.name == hit.job), None)
        if job is None or hit.span.contains(job.key) or any(own.contains(hit.span) for own in (job.key, *job.own)):
            return None
        block = next((block for block in self.blocks if block.body.contains(hit.span)), None)
        if block is None:
            return None
        place, mine = block.key.begins, job.key
        note = f"{job.name} ({mine.file.path}:{mine.begins.line}) has this from {block.name}"
        return Origin(block.key.file.path, place.line, place.column, note)
