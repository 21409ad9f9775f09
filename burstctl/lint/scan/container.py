"""Scans Kubernetes-like YAML for the commands of containers: Tekton's steps, Argo's templates. Knows no controller."""

import re
import shlex
from collections.abc import Iterator

from burstctl.light import light, replace
from burstctl.lint.document import Mapping, Scalar, Sequence, Value, walk
from burstctl.lint.file import File, Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.interpolate import Piece, interpolate
from burstctl.lint.job import Job, Script, Variable
from burstctl.lint.look import inner, items_of, mappings_of, scalar_of, text_of, whole_of
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings
from burstctl.lint.shell_line import shell_of
from burstctl.pattern import pattern

_PARAMETER = pattern(r"\$\((?:params|inputs\.params)\.(?P<tekton>[\w-]+)\)|\{\{\s*[\w.-]*?(?P<argo>[\w-]+)\s*\}\}")
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh"})
_MOST = 1_000_000


@light
class _Holder:
    """Something that runs containers."""

    name: str
    key: Span
    containers: tuple[Mapping, ...]
    instances: int | None = 1
    spread: Span | None = None


def read_pipeline(dialect: str, file: File, project: Project, settings: Settings) -> Pipeline:
    """Scan a file; `Unreadable` if it is no YAML."""
    gathered = Gathered(project, settings)
    opened = gathered.open_root(file)
    parameters = {name: one for root in opened.documents.roots for name, one in _parameters(root)}
    counts = {name: one for root in opened.documents.roots for name, one in _repeated(root)}
    jobs: dict[int, Job] = {}
    for root in opened.documents.roots:
        for holder in _holders(root):
            job = _job(holder, parameters, counts)
            jobs.setdefault(holder.containers[0].span.start, job)
    return Pipeline(dialect, file, tuple(jobs.values()), files=(file,))


def _holders(root: Value) -> Iterator[_Holder]:
    """Give what runs containers: a task, a task within a pipeline, a template; each by its name."""
    titled = scalar_of(inner(root, "metadata", "name")) or scalar_of(inner(root, "metadata", "generateName"))
    found = [one for one in walk(root) if isinstance(one, Mapping)]
    embedded = {id(one.get("taskSpec")) for one in found}
    for one in found:
        within = inner(one, "taskSpec")
        containers = tuple(_containers(within if within is not None else one))
        if not containers or id(one) in embedded:
            continue
        name = scalar_of(one.get("name")) or titled
        matrix = one.get("matrix")
        instances = _matrix(matrix) if matrix is not None else 1
        key = name.span if name else containers[0].span
        yield _Holder(name.text if name else "task", key, containers, instances, matrix.span if matrix else None)


def _containers(value: Value | None) -> Iterator[Mapping]:
    for step in mappings_of(inner(value, "steps")):
        if "script" in step.entries or "command" in step.entries or "args" in step.entries:
            yield step
    for word in ("container", "script"):
        one = inner(value, word)
        if isinstance(one, Mapping) and "image" in one.entries:
            yield one
    for one in mappings_of(inner(value, "containerSet", "containers")):
        yield one


def _job(holder: _Holder, parameters: dict[str, Scalar], counts: dict[str, tuple[int | None, Span]]) -> Job:
    variables: dict[str, Variable] = {}
    scripts: list[Script] = []
    for container in holder.containers:
        own = _environment(container, parameters)
        variables |= own
        script = _script(container, parameters)
        if script is not None:
            given = {name: one.value for name, one in own.items() if one.value is not None}
            scripts.append(replace(script, given=given))
    instances, spread = holder.instances, holder.spread
    if holder.name in counts:
        instances, spread = counts[holder.name]
    return Job(
        name=holder.name,
        key=holder.key,
        own=tuple(one.span for one in holder.containers),
        scripts=tuple(scripts),
        variables=variables,
        instances=instances,
        spread=spread,
        image=scalar_of(holder.containers[0].get("image")),
        possible=True,
    )


def _script(container: Mapping, parameters: dict[str, Scalar]) -> Script | None:
    """Give what a container runs: its script, the text that its shell is given, or its command line."""
    words = [one for key in ("command", "args") for one in items_of(container.get(key)) if isinstance(one, Scalar)]
    program = words[0].text.rpartition("/")[2] if words else ""
    source = scalar_of(container.get("script")) or scalar_of(container.get("source"))
    if source is not None:
        first = source.text.partition("\n")[0]
        line = first.removeprefix("#!") if first.startswith("#!") else (program or "sh")
        return Script.of((_filled(source, parameters),), "script", shell=shell_of(line))
    flags = [place for place, word in enumerate(words) if re.fullmatch(r"-\w*c", word.text)]
    if program in _SHELLS and flags and flags[0] + 1 < len(words):
        return Script.of((_filled(words[flags[0] + 1], parameters),), "args")
    image = text_of(container.get("image")) or ""
    if not words or not (texts := [_filled(word, parameters).text for word in words]):
        return None
    if "command" not in container.entries:
        texts = ["docker", "run", image or "image", *texts]
    text = " ".join(one if "$" in one else shlex.quote(one) for one in texts)
    # The line is written nowhere: all of it stands where its last word is named.
    return Script((Scalar(words[-1].span, text, text, "'"),), text, (0,), "args")


def _environment(container: Mapping, parameters: dict[str, Scalar]) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    for one in mappings_of(container.get("env")):
        name, value = scalar_of(one.get("name")), one.get("value")
        if name is None:
            continue
        scalar = _filled(value, parameters) if isinstance(value, Scalar) else None
        text = None if scalar is None or scalar.unknown else scalar.as_text
        place = scalar.span if scalar else name.span
        found[name.text] = Variable(name.text, text, place, name.span, "job", scalar)
    return found


def _parameters(root: Value) -> Iterator[tuple[str, Scalar]]:
    """Give the parameters of all lists, by their names, with what they are by default."""
    for one in walk(root):
        for word in ("params", "parameters"):
            for parameter in mappings_of(inner(one, word)):
                name = text_of(parameter.get("name"))
                value = scalar_of(parameter.get("default")) or scalar_of(parameter.get("value"))
                if name and value and not _PARAMETER.search(value.text):
                    yield name, value


def _repeated(root: Value) -> Iterator[tuple[str, tuple[int | None, Span]]]:
    """Give the templates that Argo starts several times at once, with how many times."""
    for one in walk(root):
        name = text_of(inner(one, "template"))
        if name is None or not isinstance(one, Mapping):
            continue
        listed, sequence, given = one.get("withItems"), one.get("withSequence"), one.get("withParam")
        if isinstance(listed, Sequence):
            yield name, (len(listed.items), listed.span)
        elif sequence is not None:
            yield name, (whole_of(inner(sequence, "count")), sequence.span)
        elif given is not None:
            yield name, (None, given.span)


def _matrix(value: Value) -> int | None:
    """Multiply a matrix out; None where a list comes from elsewhere."""
    size = 1
    for parameter in mappings_of(inner(value, "params")):
        listed = parameter.get("value")
        if not isinstance(listed, Sequence):
            return None
        size = min(size * len(listed.items), _MOST)
    return size + len(items_of(inner(value, "include")))


def _filled(scalar: Scalar, parameters: dict[str, Scalar]) -> Scalar:
    def piece(match: re.Match[str]) -> Piece:
        name = match["tekton"] or match["argo"]
        known = parameters.get(name)
        return Piece(known.as_text) if known else Piece(f"${{{re.sub(r'[^A-Za-z0-9_]', '_', name)}}}", unknown=True)

    return interpolate(scalar, _PARAMETER, piece)
