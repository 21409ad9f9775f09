"""Gives the values in a pipeline that must not be shown: those of variables with telling names. Knows no output."""

from collections.abc import Iterator

from burstctl.lint.pipeline import Pipeline
from burstctl.lint.shown import is_secret_value

_SHORTEST_LINE = 8
"""A shorter line of a long value, such as a brace, stands in any text."""


def secrets_of(pipeline: Pipeline) -> list[str]:
    """List them, the longest first, so that one within another is masked whole."""
    return sorted(set(_values(pipeline)), key=lambda value: (-len(value), value))


def _values(pipeline: Pipeline) -> Iterator[str]:
    variables = [*pipeline.variables, *(one for job in pipeline.jobs for one in job.variables.values())]
    variables += [one for job in pipeline.jobs for arm in job.arms for one in arm.variables.values()]
    for variable in variables:
        if is_secret_value(variable.name, variable.value):
            value = variable.value or ""
            yield value
            yield from (line.strip() for line in value.splitlines() if len(line.strip()) >= _SHORTEST_LINE)
