"""Reads a Bitbucket file: events → steps, parallel groups and stages, in their order. Knows no script."""

from collections.abc import Iterator

from burstctl.light import field, replace, state
from burstctl.lint.bitbucket.step import Around, step_of
from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Unreadable, Value
from burstctl.lint.duplicate import duplicate_hits
from burstctl.lint.file import File, Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.job import Job, Variable
from burstctl.lint.look import entries_of, inner, items_of, mappings_of, scalar_of, text_of
from burstctl.lint.pipeline import Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

STEP_COST = 20
_EVENTS = ("branches", "tags", "bookmarks", "pull-requests", "custom")


def read_pipeline(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a file; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    opened = gathered.open_root(file)
    for hit in duplicate_hits(opened.documents):
        gathered.note(hit)
    jobs: list[Job] = []
    if opened.body is not None:
        try:
            for event, value in _pipelines(opened.body.get("pipelines")):
                jobs.extend(_Reading(opened.body, event, gathered).read(value))
        except Unreadable as error:
            gathered.note(Hit("BL002", error.span, error.reason, key="size"))
    elif opened.documents.roots and opened.documents.roots[0].span.text.strip():
        message = "the top of the file must be a mapping with `pipelines`"
        gathered.note(Hit("BL002", opened.documents.roots[0].span, message, key="top"))
    return Pipeline(
        "bitbucket",
        file,
        tuple(jobs),
        tuple(gathered.hits.values()),
        tuple(gathered.files.values()),
        partial=gathered.partial,
    )


def _pipelines(value: Value | None) -> Iterator[tuple[str, Value]]:
    """Give each pipeline with what starts it."""
    for entry in entries_of(value):
        if entry.key.text in _EVENTS:
            for one in entries_of(entry.value):
                yield f"{entry.key.text} {one.key.text}", one.value
        else:
            yield entry.key.text, entry.value


@state
class _Reading:
    """One pipeline on its way."""

    body: Mapping
    event: str
    gathered: Gathered
    jobs: list[Job] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)

    def read(self, value: Value) -> list[Job]:
        """Give the steps."""
        foreign = scalar_of(inner(value, "import"))
        if foreign is not None:
            self.gathered.partial = True
            message = f"the pipeline is imported from `{foreign.text}` and can't be read here"
            self.gathered.note(Hit("BL010", foreign.span, message, key=foreign.text))
        image = self.body.get("image")
        around = Around(
            self.event,
            _asked(value),
            scalar_of(image) or scalar_of(inner(image, "name")),
            scalar_of(inner(self.body, "options", "max-time")),
        )
        self._sequence(value, around)
        return self.jobs

    def _sequence(self, value: Value | None, around: Around) -> None:
        """Go through items that wait for each other."""
        for item in mappings_of(value):
            before = replace(around, needs=tuple(job.name for job in self.jobs))
            for entry in item.entries.values():
                self._item(entry, before)

    def _item(self, entry: Entry, around: Around) -> None:
        self.gathered.spend(STEP_COST, entry.key.span)
        match entry.key.text:
            case "step" if isinstance(entry.value, Mapping):
                self._step(entry.value, entry.key, around)
            case "parallel":
                self._group(entry, around)
            case "stage" if isinstance(entry.value, Mapping):
                stage = entry.value
                inside = replace(
                    around,
                    environment=text_of(stage.get("deployment")) or around.environment,
                    manual=around.manual or text_of(stage.get("trigger")) == "manual",
                    stage=text_of(stage.get("name")),
                )
                self._sequence(stage.get("steps"), inside)

    def _group(self, entry: Entry, around: Around) -> None:
        listed = entry.value if isinstance(entry.value, Sequence) else inner(entry.value, "steps")
        steps = [
            (one.value, one.key)
            for item in mappings_of(listed)
            for one in item.entries.values()
            if one.key.text == "step" and isinstance(one.value, Mapping)
        ]
        for body, key in steps:
            self.gathered.spend(STEP_COST, key.span)
            self._step(body, key, replace(around, beside=len(steps), spread=entry.key.span))

    def _step(self, body: Mapping, key: Scalar, around: Around) -> None:
        named = scalar_of(body.get("name"))
        name = named.text if named else f"step {len(self.jobs) + 1}"
        count = self.names[name] = self.names.get(name, 0) + 1
        full = name if count == 1 else f"{name} ({count})"
        self.jobs.append(step_of(body, full, _place(named, key, body), around, self.gathered))


def _place(name: Scalar | None, key: Scalar, body: Mapping) -> Span:
    """Give the place of a step: its name, which an alias brings along, else its key."""
    if name is not None:
        return name.span
    return key.span if key.span.start <= body.span.start else body.span


def _asked(value: Value) -> dict[str, Variable]:
    """Give the variables that whoever starts a custom pipeline is asked for."""
    found: dict[str, Variable] = {}
    for item in items_of(value):
        for one in mappings_of(inner(item, "variables")):
            name, default = scalar_of(one.get("name")), scalar_of(one.get("default"))
            if name is not None:
                free = one.get("allowed-values") is None
                text = default.as_text if default else ""
                place = default.span if default else name.span
                found[name.text] = Variable(name.text, text, place, name.span, "global", default, asked=free)
    return found
