"""An Azure job in neutral words. Knows no template, no stage's order and no other job."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import light
from burstctl.lint.azure.scope import Scope, asked_variables
from burstctl.lint.azure.step import Steps, phases_of
from burstctl.lint.azure.strategy import NODE_VARIABLES, strategy_of
from burstctl.lint.azure.variable import variables_of
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import spread_over
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.job import Job, Variable
from burstctl.lint.look import entries_of, inner, scalar_of, text_of


@light
class Surroundings:
    """What a pipeline and a stage give to each of their jobs."""

    variables: AbstractMapping[str, Variable]
    pool: Value | None
    scope: Scope
    partial: bool = False


@light
class Definition:
    """Where a job stands, and what it waits for."""

    name: str
    key: Span
    own: tuple[Span, ...]
    stage: str | None
    needs: tuple[str, ...]


def job_of(body: Mapping, definition: Definition, around: Surroundings, gathered: Gathered) -> Job:
    """Turn an expanded job into its neutral form."""
    is_deployment = "deployment" in body.entries
    strategy = strategy_of(None if is_deployment else body.get("strategy"))
    variables = {**around.variables, **variables_of(body.get("variables"), "job"), **strategy.variables}
    image = text_of(inner(body.get("pool") or around.pool, "vmImage")) or text_of(body.get("pool")) or ""
    steps = Steps(variables, "windows" in image.lower() or "vs20" in image.lower(), gathered)
    if is_deployment:
        for phase in phases_of(body.get("strategy")):
            steps.walk(phase)
    steps.walk(body.get("steps"))
    read = "\n".join(script.text for script in steps.scripts) + "".join(one.value or "" for one in variables.values())
    rows, spread = spread_over(
        strategy.matrix, {**asked_variables(around.scope, read), **variables, **steps.variables, **strategy.variables}
    )
    environment = body.get("environment")
    return Job(
        name=definition.name,
        key=definition.key,
        own=definition.own,
        scripts=tuple(steps.scripts),
        variables=spread,
        stage=definition.stage,
        instances=strategy.instances,
        matrix=rows,
        spread=strategy.span,
        max_parallel=strategy.max_parallel,
        needs=definition.needs,
        uses=tuple(steps.uses),
        image=_container(body.get("container")),
        services=frozenset(entry.key.text for entry in entries_of(body.get("services"))),
        environment=text_of(environment) or text_of(inner(environment, "name")),
        timeout=scalar_of(body.get("timeoutInMinutes")),
        retry=steps.retry,
        node_variables=NODE_VARIABLES if strategy.span else frozenset(),
        partial=around.partial,
    )


def _container(value: Value | None) -> Scalar | None:
    return scalar_of(value) or scalar_of(inner(value, "image"))
