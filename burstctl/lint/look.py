"""Takes values of a YAML document as what a CI system expects in their place. Knows no CI system's keys."""

from collections.abc import Iterator

from burstctl.lint.document import Entry, Mapping, Scalar, Sequence, Value


def inner(value: Value | None, *path: str) -> Value | None:
    """Follow keys through mappings; None where one is missing."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def scalar_of(value: Value | None) -> Scalar | None:
    """Give a scalar that says something."""
    return value if isinstance(value, Scalar) and value.value is not None else None


def text_of(value: Value | None) -> str | None:
    """Give a scalar's text."""
    scalar = scalar_of(value)
    return scalar.text if scalar else None


def items_of(value: Value | None) -> tuple[Value, ...]:
    """Give a list's items; a single value is a list of one."""
    if isinstance(value, Sequence):
        return value.items
    return () if value is None or (isinstance(value, Scalar) and value.value is None) else (value,)


def texts_of(value: Value | None) -> tuple[str, ...]:
    """Give the texts of a list, or of a single scalar."""
    return tuple(one.text for one in items_of(value) if isinstance(one, Scalar))


def mappings_of(value: Value | None) -> Iterator[Mapping]:
    """Give the mappings of a list."""
    return (one for one in items_of(value) if isinstance(one, Mapping))


def entries_of(value: Value | None) -> tuple[Entry, ...]:
    """Give a mapping's entries."""
    return tuple(value.entries.values()) if isinstance(value, Mapping) else ()


def scalars_of(value: Value | None) -> dict[str, Scalar]:
    """Give a mapping's scalars by their keys."""
    return {entry.key.text: entry.value for entry in entries_of(value) if isinstance(entry.value, Scalar)}


def whole_of(value: Value | None) -> int | None:
    """Give a whole number, quoted or not."""
    text = text_of(value)
    return int(text) if text and len(text) < 10 and text.strip().isdecimal() else None
