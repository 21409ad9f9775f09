"""A GitLab job with all that it inherits, in neutral words. Knows no includes, no extends and no references."""

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from burstctl.light import light, replace
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.file import Span
from burstctl.lint.gitlab.parallel import NODE_VARIABLES, spread_of
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.gitlab.rules import arms_of, crossed, guarded, never, when_of
from burstctl.lint.gitlab.script import scripts_of, uses_of
from burstctl.lint.gitlab.variable import inherited, variables_of
from burstctl.lint.job import Arm, Job, Variable

MAX_RETRIES = 2


@light
class Definition:
    """Where a job stands."""

    name: str
    key: Span
    own: tuple[Span, ...]
    partial: bool = False


@light
class Surroundings:
    """What the pipeline gives to each of its jobs."""

    variables: AbstractMapping[str, Variable]
    """Global ones."""
    arms: tuple[Arm, ...]
    """Those of `workflow:rules`."""
    upstream: AbstractMapping[str, Variable]
    """What the job that started this child pipeline passes down: stronger than all that stands in files."""
    parent: str | None = None


def job_of(body: Mapping, definition: Definition, around: Surroundings, reading: Reading) -> Job | None:
    """Turn a resolved job into its neutral form; None if it never runs."""
    when = when_of(body)
    own_arms = arms_of(body.get("rules"), "rule", reading, when)
    if never(own_arms) or (not own_arms and when == "never"):
        return None
    inherit = body.get("inherit")
    takes = inherited(around.variables, inherit)
    outer = [replace(arm, variables=inherited(arm.variables, inherit)) for arm in around.arms]
    arms = crossed(outer, own_arms)
    spread = spread_of(body.get("parallel"), definition.name, reading)
    variables = {
        **takes,
        **variables_of(body.get("variables"), "job"),
        **spread.variables,
        **around.upstream,
    }
    running = [arm for arm in arms if arm.runs]
    return Job(
        name=definition.name,
        key=definition.key,
        own=definition.own,
        scripts=tuple(scripts_of(body, definition.name, reading)),
        variables=variables,
        arms=_weaker_workflow(arms, variables),
        stage=_text(body.get("stage")) or "test",
        instances=spread.instances,
        matrix=spread.matrix,
        spread=spread.span,
        group=_text(body.get("resource_group")),
        needs=_needs(body.get("needs")),
        uses=tuple(uses_of(body)),
        image=_named(body.get("image"), "name"),
        services=frozenset(_services(body.get("services"))),
        environment=_text(_named(body.get("environment"), "name")),
        tier=_text(_inner(body.get("environment"), "deployment_tier")),
        manual=all(arm.manual for arm in running) if own_arms else when == "manual",
        protected=guarded(body.get("rules"), reading),
        timeout=_scalar(body.get("timeout")),
        retry=_retry(body.get("retry")),
        node_variables=NODE_VARIABLES if spread.span else frozenset(),
        partial=definition.partial,
        parent=around.parent,
    )


def _weaker_workflow(arms: tuple[Arm, ...], variables: AbstractMapping[str, Variable]) -> tuple[Arm, ...]:
    """Leave out what is beaten: a workflow's variables by the job's own, all by a matrix and an upstream."""

    def beaten(one: Variable) -> bool:
        other = variables.get(one.name)
        strong = ("matrix", "upstream") if one.level == "rule" else ("matrix", "upstream", "job")
        return other is not None and other.level in strong

    return tuple(
        Arm(arm.span, {name: one for name, one in arm.variables.items() if not beaten(one)}, arm.runs, arm.manual)
        for arm in arms
    )


def _scalar(value: Value | None) -> Scalar | None:
    return value if isinstance(value, Scalar) and value.value is not None else None


def _text(value: Value | None) -> str | None:
    scalar = _scalar(value)
    return scalar.text if scalar else None


def _inner(value: Value | None, key: str) -> Value | None:
    return value.get(key) if isinstance(value, Mapping) else None


def _named(value: Value | None, key: str) -> Scalar | None:
    """Give a name that stands alone or in a mapping."""
    return _scalar(_inner(value, key) if isinstance(value, Mapping) else value)


def _needs(value: Value | None) -> tuple[str, ...] | None:
    if not isinstance(value, Sequence):
        return None
    names: dict[str, None] = {}
    for one in value.items:
        elsewhere = isinstance(one, Mapping) and ("pipeline" in one.entries or "project" in one.entries)
        name = None if elsewhere else _named(one, "job")
        if name:
            names[name.text] = None
    return tuple(names)


def _services(value: Value | None) -> Iterator[str]:
    """Give the host names of services: aliases, and the image's name in the two spellings of GitLab."""
    for one in value.items if isinstance(value, Sequence) else ():
        alias = _text(_inner(one, "alias"))
        if alias:
            yield from alias.replace(",", " ").split()
        image = _named(one, "name")
        if image:
            # Neither a digest, nor a tag, nor the port of a registry counts.
            parts = [part.partition(":")[0] for part in image.text.partition("@")[0].split("/")]
            yield from {"__".join(parts), "-".join(parts)}


def _retry(value: Value | None) -> int:
    scalar = _named(value, "max")
    number = scalar.value if scalar else None
    return min(number, MAX_RETRIES) if isinstance(number, int) and not isinstance(number, bool) else 0
