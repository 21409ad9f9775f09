"""Reads a Buildkite file: steps and groups in their order, then the pipelines that they upload. Knows no script."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, state
from burstctl.lint.buildkite.matrix import fill
from burstctl.lint.buildkite.step import COMMANDS, Around, step_of, uploads
from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Unreadable, Value
from burstctl.lint.duplicate import duplicate_hits
from burstctl.lint.environment import environment_of
from burstctl.lint.file import File, Span
from burstctl.lint.gathered import Gathered, Opened
from burstctl.lint.job import Job, Variable
from burstctl.lint.look import inner, items_of, scalar_of, text_of
from burstctl.lint.pipeline import Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

STEP_COST = 20
MAX_UPLOADED = 50
DEFAULT = ".buildkite/pipeline.yml"
"""What is uploaded where no file is named."""


def read_pipeline(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a pipeline; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    reading = _Reading(gathered)
    opened = gathered.open_root(file)
    try:
        reading.read(opened, {})
    except Unreadable as error:
        gathered.note(Hit("BL002", error.span, error.reason, key="size"))
    return Pipeline(
        "buildkite",
        file,
        tuple(reading.jobs),
        tuple(gathered.hits.values()),
        tuple(gathered.files.values()),
        partial=gathered.partial,
    )


@state
class _Reading:
    """What comes out of a pipeline, and of those that it uploads."""

    gathered: Gathered
    jobs: list[Job] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    names: dict[str, int] = field(default_factory=dict)

    def read(self, opened: Opened, above: AbstractMapping[str, Variable]) -> None:
        """Add the steps of one file, then those of the files that they upload."""
        self.seen.add(opened.file.path)
        for hit in duplicate_hits(opened.documents):
            self.gathered.note(hit)
        root = opened.documents.roots[0] if opened.documents.roots else None
        steps = root if isinstance(root, Sequence) else inner(root, "steps")
        if steps is None and root is not None and root.span.text.strip() and not isinstance(root, Mapping):
            self.gathered.note(Hit("BL002", root.span, "a pipeline must be a mapping with `steps`", key="top"))
        variables = {**above, **environment_of(inner(root, "env"), "global", fill)}
        listed = _Listed(self, variables)
        listed.walk(steps)
        for job in listed.done:
            for path, span in uploads(job):
                self._upload(path, span, job, variables)

    def unique(self, name: str) -> str:
        """Give a name that no other step has."""
        count = self.names[name] = self.names.get(name, 0) + 1
        return name if count == 1 else f"{name} ({count})"

    def _upload(self, path: str | None, span: Span, job: Job, variables: AbstractMapping[str, Variable]) -> None:
        name = DEFAULT if path == "" else path
        if name in self.seen or len(self.seen) > MAX_UPLOADED:
            return
        opened = self.gathered.open(name, span) if name else None
        if opened is not None:
            self.read(opened, variables)
        elif name is None or not self.gathered.is_there(name):
            message = "this step uploads a pipeline that is written as it runs, and that can't be read here"
            self.gathered.note(Hit("BL012", span, message, job=job.name, key=name or "generated"))


@state
class _Listed:
    """The steps of one file on their way."""

    reading: _Reading
    variables: dict[str, Variable]
    done: list[Job] = field(default_factory=list)
    keys: dict[str, list[str]] = field(default_factory=dict)
    """The names of the steps behind a key: one, or those of a group."""
    waited: tuple[str, ...] = ()
    """The steps before the last wait."""
    manual: bool = False

    def walk(self, value: Value | None, group: str | None = None) -> None:
        """Go through a list of steps."""
        for item in items_of(value):
            self.reading.gathered.spend(STEP_COST, item.span)
            if isinstance(item, Mapping):
                self._step(item, group)
            elif isinstance(item, Scalar) and item.text in ("wait", "waiter"):
                self._wait()

    def _step(self, item: Mapping, group: str | None) -> None:
        words = item.entries
        if "wait" in words or "waiter" in words or text_of(item.get("type")) in ("wait", "waiter"):
            self._wait()
        elif "block" in words or "input" in words or "manual" in words:
            self._wait()
            self.manual = True
        elif "group" in words:
            self.walk(item.get("steps"), text_of(item.get("key")) or text_of(item.get("group")))
        elif "trigger" in words:
            project = scalar_of(item.get("trigger"))
            if project is not None:
                message = f"the pipeline `{project.text}`, which this step starts, is not checked"
                self.reading.gathered.note(Hit("BL012", project.span, message, key=project.text))
        elif not _is_skipped(item.get("skip")):
            self._command(item, group)

    def _wait(self) -> None:
        self.waited = tuple(job.name for job in self.done)

    def _command(self, item: Mapping, group: str | None) -> None:
        first = next((item.entries[word] for word in (*COMMANDS, "plugins") if word in item.entries), None)
        key = next((one for word in ("key", "id", "identifier") if (one := scalar_of(item.get(word)))), None)
        label = scalar_of(item.get("label")) or scalar_of(item.get("name"))
        if first is None:
            return
        name = self.reading.unique((key or label or _number(self.reading, first)).text)
        place = (label or key or first.key).span
        around = Around(self.variables, self._needs(item), self.manual)
        self.done.append(step_of(item, name, place, around, self.reading.gathered))
        self.reading.jobs.append(self.done[-1])
        for known in filter(None, (key.text if key else None, group)):
            self.keys.setdefault(known, []).append(name)

    def _needs(self, item: Mapping) -> tuple[str, ...]:
        """Give what a step waits for: what it names, else what stands before the last wait."""
        if "depends_on" not in item.entries:
            return self.waited
        named = [text_of(one) or text_of(inner(one, "step")) for one in items_of(item.get("depends_on"))]
        return tuple(name for one in named if one for name in self.keys.get(one, ()))


def _number(reading: _Reading, first: Entry) -> Scalar:
    text = f"step {len(reading.jobs) + 1}"
    return Scalar(first.key.span, text, text)


def _is_skipped(value: Value | None) -> bool:
    return isinstance(value, Scalar) and value.value not in (None, False, "", "false")
