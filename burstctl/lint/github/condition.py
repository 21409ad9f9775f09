"""`if`: tells what never runs. Knows no other keyword."""

import re
from collections.abc import Sequence

from burstctl.lint.document import Scalar, Value
from burstctl.lint.github.expression import EXPRESSION, evaluate
from burstctl.lint.github.operand import is_true
from burstctl.lint.github.scope import Scope
from burstctl.lint.job import Arm
from burstctl.pattern import pattern

_BY_HAND = pattern(r"github\.event_name\s*==\s*'workflow_dispatch'")


def is_never(value: Value | None, scopes: Sequence[Scope]) -> bool:
    """Tell whether a condition is false in every instance, whoever starts the workflow."""
    body = _body(value)
    if body is None:
        return isinstance(value, Scalar) and value.value is False
    results = [evaluate(body, scope.lookup, guess=False) for scope in scopes]
    return all(one.known and not one.asked and not is_true(one.value) for one in results)


def is_by_hand(value: Value | None) -> bool:
    """Tell whether a condition holds only where somebody starts the workflow."""
    body = _body(value)
    return body is not None and "||" not in body and not re.search(r"!\s*\(", body) and bool(_BY_HAND.search(body))


def arms_of(value: Value | None) -> tuple[Arm, ...]:
    """Give a condition as the only arm of its job, if it says what must hold and not what must not."""
    body = _body(value)
    if value is None or body is None or "||" in body or re.search(r"!\s*\(", body):
        return ()
    return (Arm(value.span, {}, manual=is_by_hand(value)),)


def _body(value: Value | None) -> str | None:
    """Give the expression: all of the text, where no braces mark one; braces around a part make a text of it."""
    if not isinstance(value, Scalar) or not isinstance(value.value, str) or not value.text.strip():
        return None
    if "${{" not in value.text:
        return value.text
    whole = EXPRESSION.fullmatch(value.text.strip())
    return whole["body"] if whole else None
