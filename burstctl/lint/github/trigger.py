"""What starts a workflow, and the inputs that it is given then. Knows no job."""

from collections.abc import Mapping as AbstractMapping

from burstctl.light import field, light
from burstctl.lint.document import Mapping, Scalar, Sequence, Value
from burstctl.lint.github.expression import Result
from burstctl.lint.look import entries_of, inner, scalar_of, text_of
from burstctl.lint.psych import Plain

_CHOSEN = ("choice", "boolean", "environment")


@light
class Triggers:
    """The `on` of a workflow."""

    events: frozenset[str] = frozenset()
    inputs: AbstractMapping[str, Result] = field(default_factory=dict)
    """As a run has them that nobody gives any."""

    @property
    def manual(self) -> bool:
        """Tell whether nothing but a person starts it."""
        return self.events == {"workflow_dispatch"}


def triggers_of(value: Value | None) -> Triggers:
    """Read `on`: a word, a list of words, or a mapping."""
    words = value.items if isinstance(value, Sequence) else (value,)
    named = [one.text for one in words if isinstance(one, Scalar)]
    events = frozenset(named if not isinstance(value, Mapping) else value.entries)
    called = inputs_of(inner(value, "workflow_call", "inputs"))
    return Triggers(events, {**called, **_asked(inner(value, "workflow_dispatch", "inputs"))})


def inputs_of(declared: Value | None) -> dict[str, Result]:
    """Give each input of an action or a called workflow its default; one without is empty unless it is required."""
    found: dict[str, Result] = {}
    for entry in entries_of(declared):
        default = scalar_of(inner(entry.value, "default"))
        required = scalar_of(inner(entry.value, "required"))
        empty = Result() if required is not None and required.value is True else Result("", key=entry.key.span)
        found[entry.key.text] = Result(_value(default), key=entry.key.span) if default else empty
    return found


def _asked(declared: Value | None) -> dict[str, Result]:
    """Give the inputs of the form that whoever starts the workflow by hand fills in."""
    found: dict[str, Result] = {}
    for entry in entries_of(declared):
        default = scalar_of(inner(entry.value, "default"))
        free = text_of(inner(entry.value, "type")) not in _CHOSEN and inner(entry.value, "options") is None
        found[entry.key.text] = Result(_value(default), free, entry.key.span) if default else _empty(entry.key, free)
    return found


def _value(default: Scalar) -> Plain:
    return default.text if default.unknown else default.value


def _empty(key: Scalar, free: bool) -> Result:
    return Result(asked=free, key=key.span)
