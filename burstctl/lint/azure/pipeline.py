"""Reads an Azure pipeline: templates → stages → jobs. Knows only the order."""

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from burstctl.light import light, replace
from burstctl.lint.azure.expand import Expander, extended
from burstctl.lint.azure.job import Definition, Surroundings, job_of
from burstctl.lint.azure.scope import Scope, declared
from burstctl.lint.azure.variable import variables_of
from burstctl.lint.document import Entry, Mapping, Scalar, Unreadable
from burstctl.lint.duplicate import duplicate_hits
from burstctl.lint.file import File
from burstctl.lint.gathered import Gathered
from burstctl.lint.job import Job, Variable
from burstctl.lint.look import mappings_of, scalar_of, text_of, texts_of
from burstctl.lint.pipeline import Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

_ALONE = "Job"
"""What Azure calls the job of a pipeline that has steps only."""


def read_pipeline(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a pipeline; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    opened = gathered.open_root(file)
    expander = Expander(gathered)
    jobs: list[Job] = []
    around = Surroundings({}, None, Scope())
    for hit in duplicate_hits(opened.documents):
        gathered.note(hit)
    if opened.body is None:
        if opened.documents.roots and opened.documents.roots[0].span.text.strip():
            message = "the top of a pipeline must be a mapping"
            gathered.note(Hit("BL002", opened.documents.roots[0].span, message, key="top"))
    else:
        try:
            body, around = _expanded(opened.body, file, expander, gathered)
            jobs.extend(_jobs(body, around, gathered))
        except Unreadable as error:
            gathered.note(Hit("BL002", error.span, error.reason, key="size"))
    return Pipeline(
        "azure",
        file,
        tuple(jobs),
        tuple(gathered.hits.values()),
        tuple(gathered.files.values()),
        tuple(expander.blocks.values()),
        variables=tuple(around.variables.values()),
        partial=gathered.partial,
    )


def _expanded(body: Mapping, file: File, expander: Expander, gathered: Gathered) -> tuple[Mapping, Surroundings]:
    scope = Scope(declared(body.get("parameters"), asked="extends" not in body.entries))
    stack = (file.path,)
    variables = body.get("variables")
    if variables is not None:
        read = variables_of(expander.expand(variables, scope, file, stack), "global")
        scope = replace(scope, variables=_by_written(read))
    content = Mapping(
        body.span, {key: one for key, one in body.entries.items() if key not in ("parameters", "extends")}
    )
    whole = expander.expand(content, scope, file, stack)
    entries: dict[str, Entry] = dict(whole.entries) if isinstance(whole, Mapping) else {}
    template = extended(body)
    if template is not None:
        inside = expander.open(template, scope, file, stack)
        entries |= inside.entries if inside is not None else {}
    whole = Mapping(body.span, entries)
    around = Surroundings(
        variables_of(whole.get("variables"), "global"), whole.get("pool"), scope, partial=gathered.partial
    )
    return whole, around


def _by_written(read: AbstractMapping[str, Variable]) -> dict[str, Scalar]:
    """Give variables by their names as they are written, which is how expressions name them."""
    return {one.key.text.strip("\"'"): one.plain for one in read.values() if one.plain is not None}


@light
class _Stage:
    """One stage."""

    name: str | None
    body: Mapping
    waits: tuple[str, ...]
    """The stages before it."""


def _stages(body: Mapping) -> Iterator[_Stage]:
    """Give the stages; each waits for the one before it unless it says for which."""
    before: tuple[str, ...] = ()
    for stage in mappings_of(body.get("stages")):
        name = text_of(stage.get("stage"))
        told = stage.get("dependsOn")
        if text_of(stage.get("condition")) not in ("false", "False"):
            yield _Stage(name, stage, before if told is None else texts_of(told))
        before = (name,) if name else ()
    if "stages" not in body.entries:
        yield _Stage(None, body, ())


def _jobs(body: Mapping, around: Surroundings, gathered: Gathered) -> Iterator[Job]:
    stages = list(_stages(body))
    named = [(stage, *one) for stage in stages for one in _named(stage.body)]
    counts: dict[str, int] = {}
    for _, name, _, _ in named:
        counts[name] = counts.get(name, 0) + 1

    def full(stage: _Stage, name: str) -> str:
        return f"{stage.name}.{name}" if counts[name] > 1 and stage.name else name

    within = {stage.name: [full(stage, name) for one, name, _, _ in named if one is stage] for stage in stages}
    for stage, name, key, job in named:
        earlier = [one for waited in stage.waits for one in within.get(waited, ())]
        mine = [full(stage, one) for one in texts_of(job.get("dependsOn")) if one in counts]
        inside = around
        if stage.name is not None:
            own = variables_of(stage.body.get("variables"), "stage")
            inside = replace(around, variables={**around.variables, **own}, pool=stage.body.get("pool") or around.pool)
        spans = (job.span,) if job is not body else (key.span,)
        definition = Definition(full(stage, name), key.span, spans, stage.name, (*mine, *earlier))
        yield job_of(job, definition, inside, gathered)


def _named(body: Mapping) -> Iterator[tuple[str, Scalar, Mapping]]:
    """Give the jobs of a stage, or of a pipeline without stages, each with its name."""
    for job in mappings_of(body.get("jobs")):
        key = scalar_of(job.get("job")) or scalar_of(job.get("deployment"))
        word = "deployment" if "deployment" in job.entries else "job"
        if text_of(job.get("condition")) in ("false", "False") or word not in job.entries:
            continue
        yield (key.text if key else _ALONE), key or job.entries[word].key, job
    if "steps" in body.entries:
        yield _ALONE, body.entries["steps"].key, body
