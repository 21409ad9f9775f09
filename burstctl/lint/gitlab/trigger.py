"""`trigger`: the child pipeline that a job starts, and what it passes down. Loads nothing."""

import itertools
from collections.abc import Mapping as AbstractMapping

from burstctl.light import light, replace
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.job import Job, Variable
from burstctl.lint.pipeline import Hit

MAX_CHILD_DEPTH = 2
MAX_ROWS = 200
"""Instances that are worth telling apart."""


@light
class Child:
    """A pipeline of the same project that a job starts."""

    include: Value
    variables: AbstractMapping[str, Variable]
    waits: bool
    """The job lasts until its child has ended."""


def child_of(body: Mapping, job: Job, reading: Reading) -> Child | None:
    """Give the child that a job starts; note one that is in another project."""
    trigger = body.get("trigger")
    include = trigger.get("include") if isinstance(trigger, Mapping) else None
    if include is not None and isinstance(trigger, Mapping):
        strategy = trigger.get("strategy")
        waits = isinstance(strategy, Scalar) and strategy.text in ("depend", "mirror")
        return Child(include, _passed(trigger, job), waits)
    project = trigger.get("project") if isinstance(trigger, Mapping) else trigger
    if isinstance(project, Scalar) and project.value is not None:
        message = f"the pipeline of the project `{project.text}`, which this job starts, is not checked"
        reading.note(Hit("BL012", project.span, message, job=job.name, key=project.text))
    return None


def adopted(job: Job, parent: Job, child: Child) -> Job:
    """Give a child pipeline's job as one of the parent's pipeline: it runs once for each instance of its parent."""
    instances = None if None in (job.instances, parent.instances) else (job.instances or 1) * (parent.instances or 1)
    matrix: tuple[AbstractMapping[str, str], ...] = ()
    if (job.matrix or parent.matrix) and instances is not None and instances <= MAX_ROWS:
        outer = parent.matrix or ({},) * (parent.instances or 1)
        inner = job.matrix or ({},) * (job.instances or 1)
        matrix = tuple({**mine, **above} for above, mine in itertools.product(outer, inner))
    return replace(
        job,
        instances=instances,
        matrix=matrix,
        spread=job.spread or parent.spread,
        group=job.group or (parent.group if child.waits else None),
        manual=job.manual or parent.manual,
        partial=job.partial or parent.partial,
    )


def _passed(trigger: Mapping, job: Job) -> dict[str, Variable]:
    forward = trigger.get("forward")
    own = forward.get("yaml_variables") if isinstance(forward, Mapping) else None
    if isinstance(own, Scalar) and own.value is False:
        return {}
    return {name: replace(one, level="upstream") for name, one in job.variables.items()}
