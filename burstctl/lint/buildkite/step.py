"""A command step of Buildkite, in neutral words. Knows no order and no other step."""

import shlex

from burstctl.light import light
from burstctl.lint.buildkite.matrix import fill, matrix_of
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.environment import environment_of, spread_over
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.interest import is_loadish
from burstctl.lint.job import Job, Script, Use, Variable
from burstctl.lint.look import (
    entries_of,
    inner,
    items_of,
    mappings_of,
    scalar_of,
    scalars_of,
    text_of,
    texts_of,
    whole_of,
)
from burstctl.lint.pipeline import Hit
from burstctl.pattern import pattern

NODE_VARIABLES = frozenset({"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT"})
"""Set for a count; the jobs of a matrix aren't numbered."""
COMMANDS = ("command", "commands", "script")
_UPLOAD = pattern(r"buildkite-agent\s+pipeline\s+upload(?P<rest>[^\n;&|]*)")


@light
class Around:
    """What a pipeline gives to each step."""

    variables: dict[str, Variable]
    needs: tuple[str, ...]
    manual: bool


def step_of(body: Mapping, name: str, key: Span, around: Around, gathered: Gathered) -> Job:
    """Read a command step."""
    matrix = matrix_of(body.get("matrix"), name, gathered)
    parallelism = body.get("parallelism")
    count = whole_of(parallelism) if parallelism is not None else 1
    counted = parallelism is not None and count not in (0, 1)
    pieces = tuple(
        fill(one)
        for word in COMMANDS
        for one in items_of(body.get(word))
        if isinstance(one, Scalar) and one.value is not None
    )
    shell = "pwsh" if any("windows" in text.lower() for text in _agents(body.get("agents"))) else "sh"
    scripts = [Script.of(pieces, "command", shell=shell)] if pieces else []
    uses: list[Use] = []
    for plugin, given in _plugins(body.get("plugins")):
        uses.append(Use(plugin.text, plugin.span, scalars_of(given)))
        scripts.extend(_container(plugin, given, with_command=bool(pieces)))
        _note(plugin, gathered)
    own = environment_of(body.get("env"), "job", fill)
    rows, variables = spread_over(matrix.rows, {**around.variables, **own, **matrix.variables})
    at_once = whole_of(body.get("concurrency"))
    total = None if count is None or matrix.instances is None else max(1, count) * matrix.instances
    return Job(
        name=name,
        key=key,
        own=(body.span,),
        scripts=tuple(scripts),
        variables=variables,
        instances=total,
        matrix=rows,
        spread=parallelism.span if counted and parallelism is not None else matrix.span,
        max_parallel=at_once if at_once and at_once > 1 else None,
        group=text_of(body.get("concurrency_group")) if at_once == 1 else None,
        needs=around.needs,
        uses=tuple(uses),
        manual=around.manual,
        timeout=scalar_of(body.get("timeout_in_minutes")),
        retry=_retry(body.get("retry")),
        node_variables=NODE_VARIABLES if counted else frozenset(),
    )


def uploads(job: Job) -> list[tuple[str | None, Span]]:
    """Give the pipelines that a step uploads: their paths, None for what a program writes."""
    found: list[tuple[str | None, Span]] = []
    for script in job.scripts:
        for match in _UPLOAD.finditer(script.text):
            words = [word.strip("\"'") for word in match["rest"].split() if not word.startswith("-")]
            line = script.text[script.text.rfind("\n", 0, match.start()) + 1 : match.start()]
            generated = "|" in line or bool(words and ("$" in words[0] or words[0].startswith("<")))
            path = None if generated else words[0] if words else ""
            found.append((path, script.locate(match.start(), match.start() + len(match[0].rstrip()))))
    return found


def _plugins(value: Value | None) -> list[tuple[Scalar, Value | None]]:
    found: list[tuple[Scalar, Value | None]] = []
    for one in items_of(value) if not isinstance(value, Mapping) else (value,):
        if isinstance(one, Scalar):
            found.append((one, None))
        found.extend((entry.key, entry.value) for entry in entries_of(one))
    return found


def _name_of(plugin: Scalar) -> str:
    return plugin.text.partition("#")[0].rpartition("/")[2].removesuffix("-buildkite-plugin").removesuffix(".git")


def _container(plugin: Scalar, given: Value | None, *, with_command: bool) -> list[Script]:
    """Give the command that a container runs where the step has none of its own."""
    image, words = scalar_of(inner(given, "image")), texts_of(inner(given, "command"))
    if _name_of(plugin) != "docker" or image is None or not words or with_command:
        return []
    text = shlex.join(["docker", "run", image.text, *words]).replace("'$", "$")
    # The line is written nowhere: all of it stands where the image is named.
    return [Script((Scalar(image.span, text, text, "'"),), text, (0,), "plugins")]


def _note(plugin: Scalar, gathered: Gathered) -> None:
    name = _name_of(plugin)
    if is_loadish(name):
        message = f"the plugin `{name}` may send load, and can't be read here"
        gathered.note(Hit("BL010", plugin.span, message, key=name))


def _agents(value: Value | None) -> tuple[str, ...]:
    return tuple(one.text for one in scalars_of(value).values()) or texts_of(value)


def _retry(value: Value | None) -> int:
    automatic = inner(value, "automatic")
    if isinstance(automatic, Scalar):
        return 2 if automatic.value is True else 0
    return max((whole_of(one.get("limit")) or 2 for one in mappings_of(automatic)), default=0)
