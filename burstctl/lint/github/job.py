"""A job of a workflow in neutral words. Knows no files: who calls it gives the steps' reader and the instances."""

from collections.abc import Iterator, Sequence

from burstctl.light import light, replace
from burstctl.lint.document import Entry, Mapping, Scalar, Value
from burstctl.lint.gathered import Gathered
from burstctl.lint.github.condition import arms_of, is_by_hand
from burstctl.lint.github.filling import Filling
from burstctl.lint.github.instances import Instances, rows_of
from burstctl.lint.github.scope import Scope
from burstctl.lint.github.step import Setting, Steps, env_of, run_defaults
from burstctl.lint.job import Job, Script, Variable
from burstctl.lint.look import entries_of, inner, scalar_of, texts_of
from burstctl.lint.pipeline import Block


@light
class Around:
    """What a workflow gives to each of its jobs."""

    env: Value | None = None
    defaults: Value | None = None
    group: str | None = None
    manual: bool = False
    prefix: str = ""
    """The names of those that call this workflow: `nightly / `."""


def job_of(entry: Entry, instances: Instances, around: Around, gathered: Gathered) -> tuple[Job, list[Block]]:
    """Turn one job into its neutral form, with the blocks that it takes parts from."""
    body = entry.value
    assert isinstance(body, Mapping)
    name = around.prefix + entry.key.text
    filling = Filling(instances.scopes, gathered)
    base, scopes = _environment(body, around, filling)
    steps = Steps(name, filling, gathered, [], [], {}, [])
    steps.walk(body.get("steps"), _setting(body, around, scopes))
    container = body.get("container")
    image = scalar_of(inner(container, "image") if isinstance(container, Mapping) else container)
    group = scalar_of(_named(body.get("concurrency"), "group"))
    environment = scalar_of(_named(body.get("environment"), "name"))
    job = Job(
        name=name,
        key=entry.key.span,
        own=(body.span,),
        scripts=tuple(_with_base(steps.scripts, base, steps.variables)),
        variables={**base, **steps.variables, **_everywhere(filling, scopes)},
        arms=arms_of(body.get("if")),
        instances=instances.count,
        matrix=rows_of(scopes, filling.values) if instances.count == len(scopes) else (),
        spread=instances.spread,
        max_parallel=instances.max_parallel,
        group=filling.fill(group, scopes).text if group else around.group,
        uses=tuple(steps.uses),
        image=filling.fill(image, scopes) if image else None,
        services=frozenset(one.key.text.lower() for one in entries_of(body.get("services"))),
        environment=filling.fill(environment, scopes).text if environment else None,
        manual=around.manual or is_by_hand(body.get("if")),
        timeout=scalar_of(body.get("timeout-minutes")) or steps.timeout,
        total_variables=frozenset(filling.numbering),
    )
    return job, steps.blocks


def _environment(body: Mapping, around: Around, filling: Filling) -> tuple[dict[str, Variable], Sequence[Scope]]:
    """Give the variables that hold for all steps: the workflow's, the container's, the job's."""
    found: dict[str, Variable] = {}
    scopes: Sequence[Scope] = filling.scopes
    levels = (("workflow", around.env), ("job", inner(body.get("container"), "env")), ("job", body.get("env")))
    for level, value in levels:
        own, scopes = filling.env(env_of(value), level, scopes)
        found.update(own)
    return found, scopes


def _setting(body: Mapping, around: Around, scopes: Sequence[Scope]) -> Setting:
    shell, folder = run_defaults(body.get("defaults"))
    outer_shell, outer_folder = run_defaults(around.defaults)
    runner = body.get("runs-on")
    labels = texts_of(inner(runner, "labels") if isinstance(runner, Mapping) else runner)
    windows = any("windows" in one.lower() for one in labels)
    return Setting(scopes, shell or outer_shell, folder or outer_folder, windows)


def _with_base(scripts: Sequence[Script], base: dict[str, Variable], of_steps: dict[str, Variable]) -> Iterator[Script]:
    """Give each script the job's own value of a variable that another step sets for itself."""
    shared = {name: one.value for name, one in base.items() if name in of_steps and one.value is not None}
    for script in scripts:
        lacking = {name: value for name, value in shared.items() if name not in script.given}
        yield replace(script, given={**lacking, **script.given}) if lacking else script


def _everywhere(filling: Filling, scopes: Sequence[Scope]) -> dict[str, Variable]:
    """Give the variables that stand for expressions, without those that an instance lacks."""
    empty = {f"matrix_{name}" for scope in scopes for name in _axes(scopes) if name not in (scope.matrix or {})}
    return {name: one for name, one in filling.variables.items() if name not in empty}


def _axes(scopes: Sequence[Scope]) -> set[str]:
    return {name for scope in scopes for name in scope.matrix or {}}


def _named(value: Value | None, key: str) -> Value | None:
    return inner(value, key) if isinstance(value, Mapping) else value


def group_of(value: Value | None, scope: Scope, gathered: Gathered) -> str | None:
    """Give the name of a workflow's `concurrency` group."""
    group = scalar_of(_named(value, "group"))
    return Filling((scope,), gathered).fill(group).text if isinstance(group, Scalar) else None
