"""Reads a CircleCI file: parameters → workflows → jobs → the files that it goes on with. Knows only the order."""

from burstctl.light import field, state
from burstctl.lint.circleci.config import Config
from burstctl.lint.circleci.job import Call, foreign_job, job_of
from burstctl.lint.circleci.scope import Scope, pipeline_scope
from burstctl.lint.circleci.step import Steps
from burstctl.lint.circleci.workflow import calls_of
from burstctl.lint.document import Scalar, Unreadable
from burstctl.lint.duplicate import duplicate_hits
from burstctl.lint.file import File
from burstctl.lint.gathered import Gathered, Opened
from burstctl.lint.job import Job
from burstctl.lint.pipeline import Block, Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

MAX_CONTINUED = 10


def read_pipeline(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a configuration; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    reading = _Reading(gathered)
    try:
        reading.read(gathered.open_root(file))
    except Unreadable as error:
        if not gathered.files:
            raise
        gathered.note(Hit("BL002", error.span, error.reason, key="size"))
    return Pipeline(
        "circleci",
        file,
        tuple(reading.jobs),
        tuple(gathered.hits.values()),
        tuple(gathered.files.values()),
        tuple(reading.blocks.values()),
        partial=gathered.partial,
    )


@state
class _Reading:
    """What comes out of a configuration, and of those that it goes on with."""

    gathered: Gathered
    jobs: list[Job] = field(default_factory=list)
    blocks: dict[str, Block] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def read(self, opened: Opened) -> None:
        """Add the jobs of one file, then those of the files that it continues with."""
        self.seen.add(opened.file.path)
        for hit in duplicate_hits(opened.documents):
            self.gathered.note(hit)
        if opened.body is None:
            for root in opened.documents.roots[:1]:
                if root.span.text.strip():
                    message = "the top of a CircleCI configuration must be a mapping"
                    self.gathered.note(Hit("BL002", root.span, message, key="top"))
            return
        config = Config(opened.body)
        scope = pipeline_scope(config.body.get("parameters"))
        continued: dict[str, Scalar] = {}
        for call in calls_of(config, scope, self.gathered):
            self._call(call, config, scope, continued)
        for path in continued.values():
            self._go_on(path)

    def _call(self, call: Call, config: Config, scope: Scope, continued: dict[str, Scalar]) -> None:
        steps = Steps(call.name, config, self.gathered)
        name = call.key.text
        found = config.find("jobs", name, scope.orb)
        address = config.address(name) if found is None else None
        if found is not None:
            self.jobs.append(job_of(found, call, steps))
        elif address is not None:
            self.jobs.append(foreign_job(call, address, steps))
        else:
            self.gathered.note(Hit("BL002", call.key.span, f"there is no job `{name}`", key=f"job {name}"))
        self.blocks.update(steps.blocks)
        continued.update(steps.continued)

    def _go_on(self, path: Scalar) -> None:
        if path.text in self.seen or len(self.seen) > MAX_CONTINUED:
            return
        opened = self.gathered.open(path.text, path.span) if "$" not in path.text else None
        if opened is None:
            message = f"the pipeline goes on with `{path.text}`, which is written as it runs"
            self.gathered.note(Hit("BL012", path.span, message, key=path.text))
        else:
            self.read(opened)
