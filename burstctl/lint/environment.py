"""Reads mappings of environment variables, which look alike in most CI systems. Knows no CI system's keys."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from burstctl.light import replace
from burstctl.lint.document import Scalar, Value
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of
from burstctl.pattern import pattern

_READ = pattern(r"\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+))")


def environment_of(value: Value | None, level: str, fill: Callable[[Scalar], Scalar]) -> dict[str, Variable]:
    """Read names and values; `fill` replaces the CI system's own expressions in a value."""
    return {name: variable_of(name, key, fill(scalar), level) for name, key, scalar in _pairs(value)}


def variable_of(name: str, key: Scalar, value: Scalar, level: str) -> Variable:
    """Give one variable."""
    text = None if value.unknown else value.as_text
    return Variable(name, text, value.span, key.span, level, value, asked=value.asked)


def _pairs(value: Value | None) -> Iterator[tuple[str, Scalar, Scalar]]:
    for entry in entries_of(value):
        if isinstance(entry.value, Scalar):
            yield entry.key.text, entry.key, entry.value


def spread_over(
    rows: Sequence[Mapping[str, str]], variables: Mapping[str, Variable]
) -> tuple[tuple[Mapping[str, str], ...], dict[str, Variable]]:
    """Let variables that are made of a matrix's values differ like these: in its rows, and by their level."""
    axes = {name for row in rows for name in row}
    grown = [dict(row) for row in rows]
    made = dict(variables)
    for name, variable in variables.items():
        if variable.value is None or name in axes or not axes & _names_in(variable.value):
            continue
        for row, whole in zip(rows, grown, strict=True):
            whole[name] = _filled(variable.value, row)
        made[name] = replace(variable, level="matrix", value=grown[0][name])
    return tuple(grown), made


def _filled(text: str, row: Mapping[str, str]) -> str:
    return _READ.sub(lambda match: row.get(_name(match), match[0]), text)


def _names_in(text: str) -> set[str]:
    return {_name(match) for match in _READ.finditer(text)}


def _name(match: re.Match[str]) -> str:
    return match["braced"] or match["plain"]
