"""The functions of GitHub's expressions that need nothing but their arguments. Knows no context and no grammar."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from burstctl.lint.github.operand import UNKNOWN, loosely_equal, text_of

_LONGEST = 4096


def inside(value: Any, key: Any) -> Any:
    """Follow one key into a list or mapping; what isn't there is null."""
    if value is UNKNOWN or key is UNKNOWN or key == "*":
        return UNKNOWN
    if isinstance(value, dict):
        return next((one for name, one in value.items() if name.lower() == text_of(key).lower()), None)
    place = text_of(key)
    if isinstance(value, list) and place.isdecimal() and len(place) < 10:
        return value[int(place)] if int(place) < len(value) else None
    return None


def _from_json(given: list[Any]) -> Any:
    try:
        return json.loads(text_of(given[0])[: 50 * _LONGEST])
    except (ValueError, IndexError, RecursionError):
        return UNKNOWN


def _contains(given: list[Any]) -> Any:
    if len(given) != 2:
        return UNKNOWN
    if isinstance(given[0], list):
        return any(loosely_equal(one, given[1]) for one in given[0])
    return text_of(given[1]).lower() in text_of(given[0]).lower()


def _format(given: list[Any]) -> Any:
    if not given:
        return UNKNOWN
    values = [text_of(one) for one in given[1:]]

    def put(match: re.Match[str]) -> str:
        place = match["place"]
        if place is None:
            return match[0][0]
        return values[int(place)] if int(place) < len(values) else ""

    return re.sub(r"\{\{|\}\}|\{(?P<place>\d{1,3})\}", put, text_of(given[0]))[:_LONGEST]


FUNCTIONS: Mapping[str, Callable[[list[Any]], Any]] = {
    "fromjson": _from_json,
    "tojson": lambda given: json.dumps(given[0], indent=2) if given else UNKNOWN,
    "contains": _contains,
    "startswith": lambda given: text_of(given[0]).lower().startswith(text_of(given[-1]).lower()) if given else UNKNOWN,
    "endswith": lambda given: text_of(given[0]).lower().endswith(text_of(given[-1]).lower()) if given else UNKNOWN,
    "format": _format,
    "join": lambda given: (
        (text_of(given[1]) if len(given) > 1 else ",").join(map(text_of, given[0]))[:_LONGEST]
        if given and isinstance(given[0], list)
        else UNKNOWN
    ),
    "always": lambda given: True,
}
"""Those that need nothing but their arguments."""
