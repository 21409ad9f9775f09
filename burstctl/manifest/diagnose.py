"""Says what is wrong with a manifest, all at once and in its place. Shows no credential, decides nothing."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from burstctl.document import Document, Path
from burstctl.errors import UsageError
from burstctl.interpolate import Interpolated, Template
from burstctl.manifest.problem import Problem
from burstctl.secret import MASK, is_secret_name
from burstctl.source import mask_user_info

_MOST_SHOWN = 30
_LONGEST = 40
_CARRIERS = frozenset({"headers", "query", "json", "body", "expect"})
"""Keys below which a value of the environment is taken for a secret."""
_PYDANTIC = {
    "dict_type": "expected a mapping",
    "model_type": "expected a mapping",
    "model_attributes_type": "expected a mapping",
    "list_type": "expected a list",
}
_MISSING = {
    "version": "add version: 1",
    "target": "add target: with a base_url",
    "requests": "add requests: with at least a name and a path",
    "base_url": "such as http://127.0.0.1:8080, or pass --base-url",
    "path": "such as path: /predict",
    "name": "such as name: predict",
}


def find_problems(
    faults: Iterable[Mapping[str, Any]], keys: Mapping[tuple[str, ...], list[str]], found: Interpolated
) -> list[Problem]:
    """Turn pydantic's faults into problems; `keys` are the known ones of each mapping."""
    hidden = {use.path for use in found.uses if is_secret_name(use.name) or _CARRIERS & set(use.path)}
    return [_explain(fault, keys, hidden) for fault in faults]


def report(name: str, document: Document, problems: Collection[Problem]) -> UsageError:
    """Make the one error that lists all problems in the order of the file."""
    placed = {}
    for problem in problems:
        position = document.position(problem.path, of_key=problem.of_key)
        placed[position.line, position.column, problem.message] = (position, problem)
    blocks = []
    for _, (position, problem) in sorted(placed.items())[:_MOST_SHOWN]:
        label = _label(problem.path, document)
        blocks.append(describe(name, position.line, position.column, ...))
    return UsageError("")
