"""`when` and `unless`: tells what never runs. Knows no steps and no workflows."""

from burstctl.lint.circleci.scope import Scope
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.look import items_of

_MAX_DEPTH = 20


def holds(value: Value | None, scope: Scope, depth: int = 0) -> bool | None:
    """Work a condition out; None where only the running pipeline knows."""
    if isinstance(value, Scalar):
        filled = scope.fill(value)
        if filled.unknown or filled.asked or "${" in filled.text:
            return None
        return filled.value not in (None, False, 0, "", "false", "0")
    if not isinstance(value, Mapping) or len(value.entries) != 1 or depth > _MAX_DEPTH:
        return None
    word, entry = next(iter(value.entries.items()))
    inner = [holds(one, scope, depth + 1) for one in items_of(entry.value)]
    match word:
        case "not":
            result = holds(entry.value, scope, depth + 1)
            return None if result is None else not result
        case "and":
            return False if False in inner else None if None in inner else True
        case "or":
            return True if True in inner else None if None in inner else False
        case "equal":
            return _are_equal([one for one in items_of(entry.value) if isinstance(one, Scalar)], scope)
    return None


def _are_equal(values: list[Scalar], scope: Scope) -> bool | None:
    filled = [scope.fill(one) for one in values]
    if any(one.unknown or one.asked or "${" in one.text for one in filled):
        return None
    return len({one.as_text for one in filled}) == 1
