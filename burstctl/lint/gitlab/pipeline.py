"""Reads a GitLab pipeline: files → extends → references → defaults → jobs → child pipelines. Knows only the order."""

from burstctl.light import field, state
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import File
from burstctl.lint.gitlab.config import Config
from burstctl.lint.gitlab.job import Surroundings
from burstctl.lint.gitlab.load import Loader
from burstctl.lint.gitlab.merge import Merger
from burstctl.lint.gitlab.reading import Reading, TooLarge
from burstctl.lint.gitlab.resolved import Resolution
from burstctl.lint.gitlab.rules import arms_of, never
from burstctl.lint.gitlab.trigger import MAX_CHILD_DEPTH, Child, adopted, child_of
from burstctl.lint.gitlab.variable import variables_of
from burstctl.lint.gitlab.words import STAGES
from burstctl.lint.job import Job, Variable
from burstctl.lint.pipeline import Block, Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings


def read_pipeline(file: File, project: Project, settings: Settings, *, live: bool) -> Pipeline:
    """Read a pipeline from its root file; `Unreadable` if that is no YAML."""
    reading = Reading(file, project, settings, live)
    reading.files[file.path] = file
    building = _Building(reading, Merger(reading))
    try:
        building.build(Loader(reading, building.merger).root(file))
    except TooLarge as error:
        reading.note(Hit("BL002", error.span, error.reason, key="size"))
    reading.sum_up()
    return Pipeline(
        "gitlab",
        file,
        tuple(building.jobs),
        tuple(reading.hits.values()),
        tuple(reading.files.values()),
        tuple(building.blocks),
        building.stages,
        tuple(building.variables),
        partial=reading.partial,
    )


@state
class _Building:
    """What comes out of a pipeline and its children."""

    reading: Reading
    merger: Merger
    jobs: list[Job] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    stages: tuple[str, ...] = ()
    variables: list[Variable] = field(default_factory=list)

    def build(self, config: Config, parent: Job | None = None, child: Child | None = None, depth: int = 0) -> None:
        """Add the jobs of one configuration, then those of the pipelines that they start."""
        resolved = Resolution.of(config, self.merger, self.reading)
        self.blocks.extend(config.blocks())
        for entry in config.definitions.get("variables", ()):
            value = resolved.resolver.resolve(entry.value, None).value
            self.variables.extend(variables_of(value, "global").values())
        workflow = resolved.value("workflow")
        arms = arms_of(workflow.get("rules") if isinstance(workflow, Mapping) else None, "workflow", self.reading)
        if not depth:
            self.stages = _stages(resolved.value("stages"))
        if never(arms):
            return
        around = Surroundings(
            variables_of(resolved.value("variables"), "global"),
            arms,
            child.variables if child else {},
            parent.name if parent else None,
        )
        for job, body in resolved.jobs(around):
            self.jobs.append(adopted(job, parent, child) if parent and child else job)
            self._descend(self.jobs[-1], body, config, depth)

    def _descend(self, job: Job, body: Mapping, config: Config, depth: int) -> None:
        child = child_of(body, job, self.reading)
        if child is None:
            return
        if depth >= MAX_CHILD_DEPTH:
            message = f"child pipelines nest deeper than {MAX_CHILD_DEPTH} levels"
            self.reading.note(Hit("BL002", child.include.span, message, job=job.name, key="children"))
            return
        above, self.reading.partial = self.reading.partial, False
        loader = Loader(self.reading, self.merger, unread="BL012")
        self.build(loader.includes(child.include, ()), job, child, depth + 1)
        self.reading.partial = above


def _stages(value: Value | None) -> tuple[str, ...]:
    named = [one.text for one in value.items if isinstance(one, Scalar)] if isinstance(value, Sequence) else STAGES
    return (".pre", *(one for one in named if one not in (".pre", ".post")), ".post")
