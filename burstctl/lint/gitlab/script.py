"""The script sections of a GitLab job: texts in lists of up to ten levels. Knows no shell."""

from collections.abc import Iterator

from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.gitlab.reading import Reading
from burstctl.lint.job import Script, Use
from burstctl.lint.pipeline import Hit

MAX_NESTING = 10
"""Lists within lists in a script section."""


def scripts_of(job: Mapping, name: str, reading: Reading) -> Iterator[Script]:
    """Give a job's scripts: what comes before and the script itself run in one shell, what comes after in a new one."""
    if "trigger" in job.entries:
        return  # it starts a pipeline, and whatever the defaults give it runs nowhere
    shell = _shell(job)
    sections = [("script", ("before_script", "script")), ("after_script", ("after_script",))]
    if isinstance(hooks := job.get("hooks"), Mapping):
        pieces = _pieces(hooks, name, "pre_get_sources_script", reading)
        if pieces:
            yield Script.of(pieces, "pre_get_sources_script", shell=shell)
    for section, keys in sections:
        pieces = tuple(piece for key in keys for piece in _pieces(job, name, key, reading))
        if pieces:
            yield Script.of(pieces, section, shell=shell)
    for step in _steps(job):
        if isinstance(script := step.get("script"), Scalar):
            yield Script.of((script,), "run", shell=shell, text=_mask(script.text))


def uses_of(job: Mapping) -> Iterator[Use]:
    """Give the steps and actions that a job's `run` names."""
    for step in _steps(job):
        name = step.get("step") or step.get("action")
        inputs = step.get("inputs")
        if isinstance(name, Scalar):
            given = inputs.entries.items() if isinstance(inputs, Mapping) else ()
            yield Use(
                name.text,
                name.span,
                {key: entry.value for key, entry in given if isinstance(entry.value, Scalar)},
            )


def _steps(job: Mapping) -> Iterator[Mapping]:
    if isinstance(run := job.get("run"), Sequence):
        yield from (step for step in run.items if isinstance(step, Mapping))


def _pieces(holder: Mapping, job: str, key: str, reading: Reading) -> tuple[Scalar, ...]:
    """Give the commands of one key, in order."""
    entry = holder.entries.get(key)
    pieces: list[Scalar] = []
    rest: list[tuple[Value, int]] = [(entry.value, 0)] if entry else []
    while rest:
        one, level = rest.pop()
        reading.spend(1, entry.key.span if entry else one.span)
        if isinstance(one, Scalar):
            if one.value is not None:
                pieces.append(one)
        elif isinstance(one, Sequence) and level < MAX_NESTING:
            rest.extend((item, level + 1) for item in reversed(one.items))
        elif isinstance(one, Sequence) and entry:
            message = f"`{key}` nests lists, or references to lists, deeper than {MAX_NESTING} levels"
            reading.note(Hit("BL002", entry.value.span, message, job=job, key=f"{key} nesting"))
    return tuple(pieces)


def _shell(job: Mapping) -> str:
    """Tell the shell by the runner's tags: nothing else in the file says it."""
    tags = job.get("tags")
    names = [tag.text.lower() for tag in tags.items if isinstance(tag, Scalar)] if isinstance(tags, Sequence) else []
    return "pwsh" if any("windows" in name or "powershell" in name for name in names) else "sh"


def _mask(text: str) -> str:
    """Put a shell variable of the same length in place of each `${{ }}` expression."""
    parts = text.split("${{")
    for number, part in enumerate(parts[1:], 1):
        inner, closed, rest = part.partition("}}")
        parts[number] = "$" + "_" * (len(inner) + 4) + rest if closed else "${{" + part
    return "".join(parts)
