"""Every condition of an `expect`, each with what an answer had instead of it. Knows no reports and gives no verdict."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff

from burstctl.attempt import Answer, Failure
from burstctl.expect import Expect, find_difference, match_body, match_header
from burstctl.units import format_ms

_COMPARED_LINES = 500
"""Comparing takes the square of it, and an answer may have a million."""


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, held against an answer."""

    condition: str
    seen: str
    met: bool
    difference: tuple[str, ...] = ()
    """Of JSON: a unified diff from what was expected to the part of the answer that it speaks of."""


def examine(expect: Expect, answer: Answer, latency_s: float) -> Iterator[Check]:
    """Check every condition, also those behind the first that is not met."""
    yield Check(f"status {expect.status.text}", str(answer.status), answer.status in expect.status)
    for name, value in expect.headers:
        yield _check(f"header {name}", "as expected", match_header(name, value, answer))
    if expect.has_json:
        mismatch = match_body(expect.json, answer.body)
        difference = () if mismatch is None else tuple(_diff(expect.json, answer.body))
        yield _check("json", "as expected", mismatch, difference)
    if expect.max_latency_s is not None:
        limit_ms, latency_ms = expect.max_latency_s * 1000, latency_s * 1000
        yield Check(f"max_latency {limit_ms:g} ms", f"{format_ms(latency_ms)} ms", latency_s <= expect.max_latency_s)


def _check(condition: str, good: str, mismatch: Failure | None, difference: tuple[str, ...] = ()) -> Check:
    if mismatch is None:
        return Check(condition, good, met=True)
    seen = f"{mismatch.cause}: {mismatch.example}" if condition == "json" else mismatch.example
    return Check(condition, seen, met=False, difference=difference)


def _diff(expected: object, body: bytes) -> Iterator[str]:
    """Compare as indented JSON; nothing where the body is none."""
    from pydantic_core import from_json  # only where a body is checked

    try:
        found = from_json(body, allow_inf_nan=False)
    except ValueError:
        return
    old, new = (_write(value) for value in (expected, _part_of(found, expected)))
    yield from unified_diff(old, new, "expected", "answered", lineterm="")


def _part_of(found: object, expected: object) -> object:
    """Reduce what was found to what the expectation speaks of; what meets it looks like it."""
    if find_difference(expected, found) is None:
        return expected
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        return {key: _part_of(found[key], value) for key, value in expected.items() if key in found}
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [_part_of(other, value) for value, other in zip(expected, found, strict=True)]
    return found


def _write(value: object) -> list[str]:
    lines = json.dumps(value, indent=2, ensure_ascii=False, default=str).split("\n")
    return lines if len(lines) <= _COMPARED_LINES else [*lines[:_COMPARED_LINES], "…"]
