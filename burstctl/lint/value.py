"""Replaces variables in shell words by what the job, the script or its caller sets. Knows no tools and no hosts."""

import re

from burstctl.lint.load import Scene
from burstctl.pattern import pattern
from burstctl.units import parse_rate

_EXPANSION = pattern(r"\$(?:(?P<plain>[A-Za-z_]\w*|\d)|\{(?P<name>\w+)(?::?[-=?](?P<default>[^{}]*))?\})")
_MAX_ROUNDS = 5
_LONGEST = 4096
_MOST_VALUES = 50


def expand(text: str, scene: Scene) -> str:
    """Replace variables whose value is stated somewhere; others stay as they are written."""
    for _ in range(_MAX_ROUNDS):
        expanded = _EXPANSION.sub(lambda match: _value(match, scene), text)[:_LONGEST]
        if expanded == text:
            break
        text = expanded
    return text


def is_known(text: str) -> bool:
    """Tell whether an expanded text holds nothing that only the running job can tell."""
    return "$" not in text and "`" not in text


def names_in(text: str) -> set[str]:
    """Give the variables that a text reads."""
    return {match["plain"] or match["name"] for match in _EXPANSION.finditer(text)}


def value_of(name: str, scene: Scene) -> str | None:
    """Give a variable's value; None where it isn't stated, or not only once."""
    if name in scene.given:
        return scene.given[name]
    for one in (scene, *(caller for caller, _ in reversed(scene.callers))):
        assigned = {word.text for word in one.shell.assignments.get(name, ())}
        if len(assigned) > 1:
            return None
        if assigned:
            text = assigned.pop()[:_LONGEST]
            return _EXPANSION.sub(lambda match: _itself(match, name, scene), text)
    return _of_job(name, scene)


def _value(match: re.Match[str], scene: Scene) -> str:
    value = value_of(match["plain"] or match["name"], scene)
    return (match["default"] or match[0]) if value is None else value[:_LONGEST]


def _itself(match: re.Match[str], name: str, scene: Scene) -> str:
    """Resolve `RATE=${RATE:-50}`: what the variable was before."""
    if (match["plain"] or match["name"]) != name:
        return match[0]
    before = _of_job(name, scene)
    return match["default"] or match[0] if before is None else before


def _of_job(name: str, scene: Scene) -> str | None:
    """Give the value that the pipeline states; where instances or rules differ, the highest one."""
    job = scene.job
    variable = job.variables.get(name)
    values = {entry[name] for entry in job.matrix[:_MOST_VALUES] if name in entry}
    if not values:
        arms = [arm.variables.get(name) for arm in job.arms[:_MOST_VALUES] if arm.runs]
        values = {one.value for one in arms if one is not None and one.value is not None}
        own = variable.value if variable is not None else None
        if own is not None and (not values or None in arms):
            values.add(own)
        if not all(map(_size, values)) and len(values) > 1:
            return own
    return max(values, key=_size) if len(values) == 1 or (values and all(map(_size, values))) else None


def _size(text: str) -> float:
    """Give a rate's size: of several instances the fastest counts."""
    try:
        return parse_rate(text)
    except ValueError:
        return 0.0
