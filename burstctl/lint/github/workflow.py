"""Reads a workflow with the workflows of the project that its jobs call, or one composite action. Knows their order."""

from collections.abc import Sequence

from burstctl.light import field, light, replace, state
from burstctl.lint.document import Entry, Mapping, Scalar
from burstctl.lint.file import File
from burstctl.lint.gathered import Gathered, Opened
from burstctl.lint.github.action import action_of
from burstctl.lint.github.clash import clash_hits
from burstctl.lint.github.condition import is_never
from burstctl.lint.github.expression import Result
from burstctl.lint.github.filling import Filling, text_result
from burstctl.lint.github.instances import Instances, spread_over
from burstctl.lint.github.job import Around, group_of, job_of
from burstctl.lint.github.scope import Scope
from burstctl.lint.github.step import Setting, Steps, env_of
from burstctl.lint.github.trigger import inputs_of, triggers_of
from burstctl.lint.github.words import differs_by_run, is_own, normal_folder
from burstctl.lint.job import Job
from burstctl.lint.look import inner, scalar_of, scalars_of, texts_of
from burstctl.lint.pipeline import Block, Hit, Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "github"
MAX_CALLS = 10
"""Workflows that call workflows, as GitHub allows them."""
JOB_COST = 50


@light
class _Caller:
    """Who calls a workflow."""

    instances: Instances
    files: tuple[str, ...]
    """The workflows from the root on, this one too."""
    prefix: str = ""
    group: str | None = None
    manual: bool = False


def read_workflow(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a workflow, or an action, and all that it uses of the project; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    reading = _Reading(gathered)
    opened = gathered.open_root(file)
    reading.tell(opened)
    group = None
    if opened.body is None:
        if opened.documents.roots and opened.documents.roots[0].span.text.strip():
            message = "the top of a workflow must be a mapping with `on` and `jobs`"
            gathered.note(Hit("BL002", opened.documents.roots[0].span, message, key="top"))
    elif "runs" in opened.body.entries and "jobs" not in opened.body.entries:
        reading.read_action(opened.body, file)
    else:
        triggers = triggers_of(opened.body.get("on"))
        scope = Scope(inputs=triggers.inputs)
        group = group_of(opened.body.get("concurrency"), scope, gathered)
        caller = _Caller(Instances((scope,)), (file.path,), manual=triggers.manual)
        reading.jobs = reading.read(opened.body, caller)
    variables = Filling((Scope(),), gathered).env(env_of(inner(opened.body, "env")), "workflow", (Scope(),))[0]
    return Pipeline(
        NAME,
        file,
        tuple(reading.jobs),
        tuple(gathered.hits.values()),
        tuple(gathered.files.values()),
        tuple(reading.blocks),
        variables=tuple(variables.values()),
        group=None if group and differs_by_run(group) else group,
        partial=gathered.partial,
    )


@state
class _Reading:
    """What comes out of a workflow and those that it calls."""

    gathered: Gathered
    jobs: list[Job] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def tell(self, opened: Opened) -> None:
        """Note what GitHub refuses in a file."""
        for hit in clash_hits(opened.documents):
            self.gathered.note(hit)

    def read_action(self, body: Mapping, file: File) -> None:
        """Read a composite action that no workflow at hand uses as a job of its own."""
        action = action_of(body)
        if action is None:
            return
        folder = file.path.rpartition("/")[0]
        scope = Scope(inputs=action.inputs, inputs_closed=True, action_folder=folder)
        title = scalar_of(body.get("name"))
        name = title.text if title else folder or "action"
        filling = Filling((scope,), self.gathered)
        steps = Steps(name, filling, self.gathered, [], [], {}, [])
        steps.walk(action.steps, Setting((scope,), actions=(folder,)))
        variables = {**steps.variables, **filling.variables}
        self.blocks.extend(steps.blocks)
        self.jobs.append(Job(name, action.key, (body.span,), tuple(steps.scripts), variables, uses=tuple(steps.uses)))

    def read(self, body: Mapping, caller: _Caller) -> list[Job]:
        """Read the jobs of a workflow, those of the workflows that they call in their place."""
        jobs = inner(body, "jobs")
        if not isinstance(jobs, Mapping):
            self.gathered.note(
                Hit("BL002", body.span, "a workflow needs `jobs`, a mapping of names to jobs", key="jobs")
            )
            return []
        if "env" in body.entries:
            env = body.entries["env"]
            self.blocks.append(Block("the workflow's env", env.key.span, env.value.span))
        group = group_of(body.get("concurrency"), caller.instances.scopes[0], self.gathered) if caller.prefix else None
        around = Around(body.get("env"), body.get("defaults"), group or caller.group, caller.manual, caller.prefix)
        found: dict[str, list[Job]] = {}
        waits: dict[str, Sequence[str]] = {}
        for entry in jobs.entries.values():
            self.gathered.spend(JOB_COST, entry.key.span)
            if isinstance(entry.value, Mapping):
                found[entry.key.text] = self._job(entry, caller, around)
                needs = entry.value.get("needs")
                waits[entry.key.text] = texts_of(needs)
        return [job for name, own in found.items() for job in _ordered(name, own, found, waits)]

    def _job(self, entry: Entry, caller: _Caller, around: Around) -> list[Job]:
        body = entry.value
        assert isinstance(body, Mapping)
        if is_never(body.get("if"), caller.instances.scopes):
            return []
        name = around.prefix + entry.key.text
        instances = spread_over(caller.instances, body.get("strategy"), name, self.gathered)
        uses = scalar_of(body.get("uses"))
        if uses is not None:
            return self._called(uses, entry, instances, caller, around)
        job, blocks = job_of(entry, instances, around, self.gathered)
        self.blocks.extend(blocks)
        return [job]

    def _called(self, uses: Scalar, entry: Entry, instances: Instances, caller: _Caller, around: Around) -> list[Job]:
        """Read the workflow that a job calls."""
        name = around.prefix + entry.key.text
        if not is_own(uses.text):
            message = f"the workflow `{uses.text}`, which this job calls, is not checked"
            self.gathered.note(Hit("BL012", uses.span, message, job=name, key=uses.text))
            return []
        path = normal_folder(uses.text)
        if path in caller.files:
            circle = " → ".join((*caller.files[caller.files.index(path) :], path))
            self._fail(uses, name, f"workflows call each other in a circle: {circle}", "call circle")
            return []
        if len(caller.files) > MAX_CALLS:
            self._fail(uses, name, f"workflows call each other deeper than {MAX_CALLS} levels", "call nesting")
            return []
        opened = self.gathered.open(path, uses.span)
        if opened is None or opened.body is None:
            if not self.gathered.is_there(path):
                self._fail(uses, name, f"there is no workflow `{path}` to call", path)
            self.gathered.partial = True
            return []
        self.tell(opened)
        body = entry.value
        assert isinstance(body, Mapping)
        group = group_of(inner(body, "concurrency"), instances.scopes[0], self.gathered)
        below = _Caller(
            _passed(instances, opened.body, body, self.gathered),
            (*caller.files, path),
            f"{name} / ",
            group or around.group,
            caller.manual,
        )
        return self.read(opened.body, below)

    def _fail(self, uses: Scalar, job: str, message: str, key: str) -> None:
        self.gathered.note(Hit("BL002", uses.span, message, job=job, key=key))


def _passed(instances: Instances, called: Mapping, body: Mapping, gathered: Gathered) -> Instances:
    """Give each instance of a call the inputs that it hands on; nothing else gets through."""
    declared = inputs_of(inner(called.get("on"), "workflow_call", "inputs"))
    given = scalars_of(body.get("with"))
    scopes = []
    for scope in instances.scopes:
        gathered.spend(1 + len(given), body.span)
        values: dict[str, Result] = {**declared, **{name: text_result(one, scope) for name, one in given.items()}}
        scopes.append(Scope(inputs=values, inputs_closed=True))
    return replace(instances, scopes=tuple(scopes))


def _ordered(name: str, own: Sequence[Job], found: dict[str, list[Job]], waits: dict[str, Sequence[str]]) -> list[Job]:
    """Name the jobs that those of one entry wait for: of a called workflow all, of one that never runs its own."""
    names: dict[str, None] = {}
    seen: set[str] = set()
    rest = list(waits[name])
    while rest:
        one = rest.pop()
        if one in seen or one not in found:
            continue
        seen.add(one)
        names.update(dict.fromkeys(job.name for job in found[one]))
        if not found[one]:
            rest.extend(waits[one])
    return [replace(job, needs=tuple(dict.fromkeys((*(job.needs or ()), *names))) or job.needs) for job in own]
