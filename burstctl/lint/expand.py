"""Prints jobs as they were resolved, with the place that each part comes from. Knows no dialect and no rule."""

from collections.abc import Iterable, Iterator, Mapping

from burstctl.lint.document import Scalar
from burstctl.lint.file import Span
from burstctl.lint.job import Arm, Job, Variable
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.shown import is_secret_value, mask, visible
from burstctl.secret import MASK

_COLUMN = 64
"""Where places stand, if what is before them leaves room."""


def expand(pipelines: Iterable[Pipeline]) -> str:
    """Write all jobs of all pipelines."""
    return "".join(f"{line}\n" for pipeline in pipelines for line in _pipeline(pipeline))


def _pipeline(pipeline: Pipeline) -> Iterator[str]:
    count = len(pipeline.jobs)
    partial = ", partly unknown" if pipeline.partial else ""
    yield f"# {pipeline.file.path} ({pipeline.dialect}): {count} job{'s' if count != 1 else ''}{partial}"
    for job in pipeline.jobs:
        yield ""
        yield from _job(job)
    yield ""


def _job(job: Job) -> Iterator[str]:
    yield _placed(f"{_one_line(job.name)}:", job.key)
    for word, text in _words(job):
        yield f"  {word}: {_one_line(text)}"
    if job.instances != 1 and job.spread:
        yield _placed(f"  instances: {'not known' if job.instances is None else job.instances}", job.spread)
    for row in job.matrix:
        yield f"    - {', '.join(f'{name}={_shown(name, value)}' for name, value in row.items())}"
    yield from _variables(job.variables, "  ")
    if job.arms:
        yield "  rules:"
        for arm in job.arms:
            yield from _arm(arm)
    for name, scalar in (("image", job.image), ("timeout", job.timeout)):
        if scalar:
            yield _placed(f"  {name}: {_one_line(scalar.text)}", scalar.span)
    for use in job.uses:
        # The version behind an action's `@` looks like a host behind a user's name.
        name = _one_line(use.name) if "://" in use.name else visible(use.name)
        yield _placed(f"  uses: {name}", use.span)
    for script in job.scripts:
        shell = "" if script.shell == "sh" else f" ({script.shell})"
        yield f"  {script.section}{shell}:"
        for piece in script.pieces:
            yield from _piece(piece)


def _words(job: Job) -> Iterator[tuple[str, str]]:
    """Give what fits in a word and has no place of its own."""
    named = {
        "parent": job.parent,
        "started by": job.event,
        "stage": job.stage,
        "needs": None if job.needs is None else ", ".join(job.needs) or "nothing",
        "runs one at a time in": job.group,
        "at most at once": None if job.max_parallel is None else str(job.max_parallel),
        "environment": job.environment,
        "tier": job.tier,
        "services": ", ".join(sorted(job.services)) or None,
        "retry": str(job.retry) if job.retry else None,
        "manual": "yes" if job.manual else None,
        "protected": "yes" if job.protected else None,
        "partial": "it takes something from where it can't be read" if job.partial else None,
    }
    return ((word, text) for word, text in named.items() if text is not None)


def _variables(variables: Mapping[str, Variable], indent: str) -> Iterator[str]:
    if variables:
        yield f"{indent}variables:"
    for one in variables.values():
        value = "(known only when the pipeline runs)" if one.value is None else _shown(one.name, one.value)
        yield _placed(f"{indent}  {one.name}: {value}", one.key, one.level)


def _arm(arm: Arm) -> Iterator[str]:
    how = "runs by hand" if arm.manual else "runs" if arm.runs else "never runs"
    yield _placed(f"    - {how}", arm.span)
    yield from _variables(arm.variables, "      ")


def _piece(piece: Scalar) -> Iterator[str]:
    at = 0
    for line in piece.text.rstrip("\n").split("\n"):
        yield _placed(f"    {_one_line(line)}", piece.locate(at, at + max(1, len(line))))
        at += len(line) + 1


def _placed(text: str, span: Span, level: str = "") -> str:
    begins = span.begins
    note = f"{span.file.path}:{begins.line}" + (f" ({level})" if level else "")
    return f"{text:<{_COLUMN}}  # {note}"


def _shown(name: str, value: str) -> str:
    return MASK if is_secret_value(name, value) else _one_line(value)


def _one_line(text: str) -> str:
    return visible(mask(text))
