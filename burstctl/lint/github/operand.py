"""How GitHub compares and writes values, and one value that stands for all that isn't known. Knows no expression."""

from typing import Any


class _Unknown:
    """Known only when the workflow runs."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Any = _Unknown()


def is_true(value: Any) -> bool:
    """Tell whether a value counts as true: all but false, 0, the empty text and null."""
    return value not in (False, 0, "", None) if not isinstance(value, list | dict) else True


def text_of(value: Any) -> str:
    """Give what stands in a text for a value."""
    if value is None or value is UNKNOWN:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return "Array" if isinstance(value, list) else "Object"
    return str(value)


def loosely_equal(one: Any, other: Any) -> bool:
    """Tell whether GitHub takes two values for equal: texts without regard to case, all else as numbers."""
    if isinstance(one, list | dict) or isinstance(other, list | dict):
        return one is other
    if isinstance(one, str) and isinstance(other, str):
        return one.lower() == other.lower()
    if (one is None) == (other is None) and type(one) is type(other):
        return bool(one == other)
    mine, others = _number(one), _number(other)
    return mine is not None and mine == others


def compare(one: Any, sign: str, other: Any) -> bool:
    """Compare two values by `<`, `<=`, `>` or `>=`."""
    if isinstance(one, str) and isinstance(other, str):
        difference = (one.lower() > other.lower()) - (one.lower() < other.lower())
    else:
        mine, others = _number(one), _number(other)
        if mine is None or others is None:
            return False
        difference = (mine > others) - (mine < others)
    return {"<": difference < 0, "<=": difference <= 0, ">": difference > 0, ">=": difference >= 0}[sign]


def _number(value: Any) -> float | None:
    if value is None or value == "":
        return 0.0
    try:
        return float(value) if not isinstance(value, list | dict) else None
    except (ValueError, OverflowError):
        return None
