"""GitLab's `variables` on every level, in its order of precedence. Knows no rules and no matrix."""

from collections.abc import Mapping as AbstractMapping

from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Value
from burstctl.lint.job import Variable


def variables_of(value: Value | None, level: str) -> dict[str, Variable]:
    """Read one `variables` mapping; a value may be a text, or a mapping that holds it beside a description."""
    if not isinstance(value, Mapping):
        return {}
    found = (_variable(name, entry, level) for name, entry in value.entries.items())
    return {one.name: one for one in found if one}


def _variable(name: str, entry: Entry, level: str) -> Variable | None:
    value: Value | None = entry.value
    asked = isinstance(value, Mapping) and "description" in value.entries and "options" not in value.entries
    if isinstance(value, Mapping):
        if (inner := value.get("value")) is None:
            # Without a value it is there and empty, until somebody fills the web form.
            return Variable(name, "", value.span, entry.key.span, level, asked=asked)
        value = inner
    if not isinstance(value, Scalar):
        return None
    text = None if value.unknown else value.as_text
    return Variable(name, text, value.span, entry.key.span, level, value, asked=asked or value.asked)


def inherited(variables: AbstractMapping[str, Variable], inherit: Value | None) -> dict[str, Variable]:
    """Give the global variables that a job takes over by its `inherit`: all, none, or those it names."""
    return {name: variables[name] for name in allowed(tuple(variables), inherit, "variables")}


def allowed(names: tuple[str, ...], inherit: Value | None, kind: str) -> tuple[str, ...]:
    """Choose among names by `inherit:default` or `inherit:variables`."""
    choice = inherit.get(kind) if isinstance(inherit, Mapping) else None
    if isinstance(choice, Scalar) and choice.value is False:
        return ()
    if isinstance(choice, Sequence):
        chosen = {one.text for one in choice.items if isinstance(one, Scalar)}
        return tuple(name for name in names if name in chosen)
    return names
