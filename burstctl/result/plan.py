"""Tells whether two results are of one plan, by the settings that they carry. Knows no figures."""

from collections.abc import Iterator, Mapping

_OF_ONE_JOB = frozenset({"planned"})
"""What differs between jobs that divide one plan."""


def describe_difference(one: Mapping[str, object], other: Mapping[str, object]) -> str | None:
    """Name the first settings in which two plans differ; None where there are none."""
    found = list(find_differences(one, other))
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return ", ".join(found[:3]) + more if found else None


def find_differences(one: object, other: object, path: str = "") -> Iterator[str]:
    """Give the paths of all settings that differ."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            if key not in _OF_ONE_JOB:
                yield from find_differences(one.get(key), other.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from find_differences(left, right, f"{path}[{place}]")
    elif one != other:
        yield path
