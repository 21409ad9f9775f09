"""The settings that held, one a line under its dotted key. They come redacted; nothing here knows a secret."""

from collections.abc import Iterator, Mapping

from burstctl.report.page.markup import Markup, cut, tag
from burstctl.report.page.table import Row, and_more, table

_MOST_LINES = 150
_KEY_CHARS = 120
_VALUE_CHARS = 200
_DEEPEST = 8


def settings_table(settings: Mapping[str, object]) -> Iterator[Markup]:
    """List every setting that has a value."""
    found = [(key, value) for key, value in _flatten("", settings, 0) if value not in ("", "{}", "[]")]
    rows = (Row(tag("bdi", cut(key, _KEY_CHARS)), (tag("bdi", value),)) for key, value in found[:_MOST_LINES])
    yield table("Settings", ("setting", "value"), rows, texts=("value",), fit=True)
    yield and_more(len(found) - _MOST_LINES, "settings; json lists all")


def _flatten(prefix: str, value: object, depth: int) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping) and value and depth < _DEEPEST:
        for key, inner in value.items():
            yield from _flatten(f"{prefix}.{key}" if prefix else str(key), inner, depth + 1)
    elif isinstance(value, list | tuple) and any(isinstance(one, Mapping) for one in value) and depth < _DEEPEST:
        for place, inner in enumerate(value):
            # A request's place says less than its name.
            name = inner.get("name", place) if isinstance(inner, Mapping) else place
            yield from _flatten(f"{prefix}[{name}]", inner, depth + 1)
    else:
        yield prefix, cut(_write(value), _VALUE_CHARS)


def _write(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple() | set() | frozenset():
            return ", ".join(sorted(map(_write, value)) if isinstance(value, set | frozenset) else map(_write, value))
        case _:
            return str(value)
