"""Which of several parallel jobs this one is, as its CI system or its user tells. Knows no plan and divides nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from burstctl.errors import UsageError


@dataclass(frozen=True, slots=True)
class System:
    """How a CI system numbers parallel jobs: two environment variables."""

    name: str
    index: str
    total: str | None
    """None: it tells no total."""
    first: int
    """The first job's index."""


SYSTEMS = (
    System("GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    System("CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", 0),
    System("Azure Pipelines", "SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", 1),
    System("Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", 0),
    System("Bitbucket", "BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", 0),
    System("Semaphore", "SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", 1),
    System("Kubernetes", "JOB_COMPLETION_INDEX", None, 0),
)
"""GitHub has none: its job index and total are expressions, which a workflow passes on."""


@dataclass(frozen=True, slots=True)
class Place:
    """One job among several."""

    job: int = 1
    """From 1."""
    jobs: int = 1
    told_by: str = ""
    """Who says so; empty for a job that is alone."""


ALONE = Place()


def find_place(jobs: int | None, job: int | None, environ: Mapping[str, str]) -> Place:
    """Tell this job's place; `jobs` None leaves it to the CI system. `UsageError` where what is told can't be.

    Without a total from anybody a job is alone: better a whole ceiling than a part of one that nobody else uses.
    """
    if jobs == 1 and job in (None, 1):
        return ALONE
    system = next((one for one in SYSTEMS if environ.get(one.index) and _total(one, environ, jobs) is not None), None)
    if system is None and jobs is None:
        if job is not None:
            raise UsageError(f"job {job}, but of how many?", hint="set jobs too, or leave job out")
        return ALONE
    if job is not None:
        total = jobs if system is None else _total(system, environ, jobs)
        told_by = "job, and the CI system's total" if jobs is None else "the settings jobs and job"
        return _checked(Place(job, total or 0, told_by))
    if system is None:
        hint = f"set job to this one's number, 1 to {jobs}; no CI system known to burstctl tells it here"
        raise UsageError(f"jobs is {jobs}, but which of them is this one?", hint=hint)
    index, total = _number(environ, system.index) - system.first + 1, _total(system, environ, jobs) or 0
    told_by = f"{system.name}'s {system.index}" + (f" and {system.total}" if jobs is None else "")
    return ALONE if total == 1 else _checked(Place(index, total, told_by))


def _total(system: System, environ: Mapping[str, str], jobs: int | None) -> int | None:
    if jobs is not None:
        return jobs
    return _number(environ, system.total) if system.total is not None and environ.get(system.total) else None


def _number(environ: Mapping[str, str], name: str) -> int:
    text = environ[name].strip()
    if not text.isascii() or not text.isdigit():
        raise UsageError(f"{name} should be a number, and is {text[:40]!r}", hint="set jobs to say how many there are")
    return int(text)


def _checked(place: Place) -> Place:
    if not 1 <= place.job <= place.jobs:
        source = f" (told by {place.told_by})" if place.told_by else ""
        raise UsageError(
            f"this can't be job {place.job} of {place.jobs}{source}", hint="jobs are numbered from 1 to their total"
        )
    return place
