"""A CircleCI job as a workflow runs it, in neutral words. Knows no other job."""

from burstctl.light import field, light, replace
from burstctl.lint.circleci.config import Found
from burstctl.lint.circleci.matrix import Matrix
from burstctl.lint.circleci.scope import Scope, bind, given_by, pipeline_variables
from burstctl.lint.circleci.step import Setting, Steps, texts
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import environment_of, spread_over
from burstctl.lint.file import Span
from burstctl.lint.job import Job, Variable
from burstctl.lint.look import inner, items_of, scalar_of, text_of, whole_of

NODE_VARIABLES = frozenset({"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL"})
_ARGUMENTS_NOT = frozenset(
    {
        *("requires", "name", "context", "filters", "type", "matrix", "pre-steps", "post-steps", "serial-group"),
        *("override-with",),
    }
)
"""What a workflow says of a job beside the job's own parameters."""


@light
class Call:
    """A job's place in a workflow."""

    name: str
    key: Scalar
    body: Value | None
    scope: Scope
    matrix: Matrix
    needs: tuple[str, ...]
    parent: str | None
    event: str | None
    manual: bool = False


@light
class _Machine:
    """Where a job runs."""

    image: Scalar | None = None
    services: frozenset[str] = frozenset()
    shell: Scalar | None = None
    folder: Scalar | None = None
    variables: dict[str, Variable] = field(default_factory=dict)


def job_of(found: Found, call: Call, steps: Steps) -> Job:
    """Read a job that a workflow runs."""
    given = {**given_by(_arguments(call.body), call.scope), **call.matrix.parameters}
    scope = bind(found.body.get("parameters"), given, call.scope, found.orb)
    machine = _machine(found.body, scope, steps)
    setting = Setting(scope, machine.shell, machine.folder)
    for value, where in (
        (inner(call.body, "pre-steps"), replace(setting, scope=call.scope)),
        (found.body.get("steps"), setting),
        (inner(call.body, "post-steps"), replace(setting, scope=call.scope)),
    ):
        steps.walk(value, where)
    own = environment_of(found.body.get("environment"), "job", scope.fill)
    read = "\n".join(texts(steps)) + "".join(one.value or "" for one in own.values())
    variables = {
        **pipeline_variables(scope, read),
        **machine.variables,
        **own,
        **steps.variables,
        **call.matrix.variables,
    }
    rows = call.matrix.rows
    spread_rows, variables = spread_over(rows or (), variables) if rows != ({},) else ((), variables)
    count, counted_at = _parallelism(found.body, scope)
    size = None if rows is None or count is None else len(rows) * count
    return Job(
        name=call.name,
        key=found.entry.key.span,
        own=(found.entry.value.span, call.key.span, *([call.body.span] if call.body else [])),
        scripts=tuple(steps.scripts),
        variables=variables,
        instances=size,
        matrix=tuple(row for row in spread_rows for _ in range(count or 1)) if size and size <= 1000 else (),
        spread=counted_at or call.matrix.span,
        numbered=count if counted_at and call.matrix.span else None,
        group=_text(inner(call.body, "serial-group"), call.scope),
        needs=call.needs,
        uses=tuple(steps.uses),
        image=machine.image,
        services=machine.services,
        manual=call.manual,
        node_variables=NODE_VARIABLES if counted_at else frozenset(),
        parent=call.parent,
        event=call.event,
    )


def foreign_job(call: Call, address: str, steps: Steps) -> Job:
    """Give a job that an orb of the registry defines: nothing of it is known but its arguments."""
    given = given_by(_arguments(call.body), call.scope)
    steps.foreign(call.key.text, address, call.key, given)
    for steps_key in ("pre-steps", "post-steps"):
        steps.walk(inner(call.body, steps_key), Setting(call.scope))
    rows = call.matrix.rows
    return Job(
        name=call.name,
        key=call.key.span,
        own=(call.key.span, *([call.body.span] if call.body else [])),
        scripts=tuple(steps.scripts),
        variables={**steps.variables, **call.matrix.variables},
        instances=None if rows is None else len(rows),
        spread=call.matrix.span,
        needs=call.needs,
        uses=tuple(steps.uses),
        manual=call.manual,
        partial=True,
        parent=call.parent,
        event=call.event,
    )


def _arguments(body: Value | None) -> Value | None:
    if not isinstance(body, Mapping):
        return None
    return Mapping(body.span, {name: one for name, one in body.entries.items() if name not in _ARGUMENTS_NOT})


def _parallelism(body: Mapping, scope: Scope) -> tuple[int | None, Span | None]:
    """Give the count, and where it is said; None: only the running pipeline knows it."""
    value = body.get("parallelism")
    if value is None:
        return 1, None
    count = whole_of(scope.by_default(value))
    return (1, None) if count in (0, 1) else (count, value.span)


def _machine(body: Mapping, scope: Scope, steps: Steps) -> _Machine:
    named = body.get("executor")
    name = text_of(named) or text_of(inner(named, "name"))
    executor, inside = None, scope
    if name is not None:
        name = scope.fill(Scalar(body.span, name, name)).text
        executor = steps.config.find("executors", name, scope.orb)
        if executor is not None:
            given = given_by(named, scope) if isinstance(named, Mapping) else {}
            inside = bind(executor.body.get("parameters"), given, scope, executor.orb)
    holders = [(body, scope)] + ([(executor.body, inside)] if executor else [])
    variables: dict[str, Variable] = {}
    for holder, where in reversed(holders):
        first = next(iter(items_of(holder.get("docker"))), None)
        variables |= environment_of(inner(first, "environment"), "executor", where.fill)
        if holder is not body:
            variables |= environment_of(holder.get("environment"), "executor", where.fill)
    found = next(((holder, where) for holder, where in holders if holder.get("docker") is not None), None)
    images = items_of(found[0].get("docker")) if found else ()
    image = scalar_of(inner(images[0], "image")) if images else None
    names = [text for one in images[1:] if (text := text_of(inner(one, "name")))]
    shell = next((one for holder, _ in holders if (one := scalar_of(holder.get("shell")))), None)
    folder = next((one for holder, _ in holders if (one := scalar_of(holder.get("working_directory")))), None)
    return _Machine(
        image=found[1].fill(image) if image and found else None,
        services=frozenset(names),
        shell=shell or _windows(name, body),
        folder=folder,
        variables=variables,
    )


def _windows(executor: str | None, body: Mapping) -> Scalar | None:
    """Give PowerShell for the executors of the Windows orb."""
    return Scalar(body.span, "pwsh", "pwsh") if executor and executor.startswith(("win/", "windows/")) else None


def _text(value: Value | None, scope: Scope) -> str | None:
    scalar = scalar_of(value)
    return scope.fill(scalar).text if scalar else None
