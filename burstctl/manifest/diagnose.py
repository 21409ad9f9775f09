"""Says what is wrong with a manifest, all at once and in its place. Shows no credential, decides nothing."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from textwrap import fill, indent
from typing import Any

from burstctl.document import Document, DocumentError
from burstctl.errors import UsageError
from burstctl.interpolate import Interpolated, Template
from burstctl.manifest.problem import Problem
from burstctl.secret import MASK, Redactor, is_secret_name, redact_url
from burstctl.source import Path, Position, Source, mask_line

_MOST_SHOWN = 30
_LONGEST = 40
_WIDTH = 80
_CARRIERS = frozenset({"headers", "query", "json", "body", "expect", "command"})
"""Keys under which a value of the environment is taken for a secret."""
_SHAPES = {"dict_type": "expected a mapping", "model_type": "expected a mapping", "list_type": "expected a list"}
_MISSING = {
    "version": "add the line version: 1",
    "target": "add target: with a base_url",
    "requests": "add requests: with a name and a path each",
    "base_url": "such as http://127.0.0.1:8080, or pass --base-url",
    "path": "such as path: /predict",
    "name": "such as name: predict",
    "kind": "such as kind: prometheus",
}


def find_problems(
    faults: Iterable[Mapping[str, Any]], keys: Mapping[tuple[str, ...], list[str]], interpolated: Interpolated
) -> list[Problem]:
    """Turn the schema's faults into problems; `keys` lists the known ones of each mapping."""
    secrets = _secret_values(interpolated)
    hidden = {use.path for use in interpolated.uses if use.value in secrets}
    return [_explain(fault, keys, hidden) for fault in faults]


def report(document: Document, problems: Collection[Problem], interpolated: Interpolated) -> UsageError:
    """Make the one error that lists all problems in the order of the file."""
    placed = {}
    redact = Redactor(_secret_values(interpolated)).redact
    for problem in problems:
        hint = None if problem.hint is None else redact(problem.hint)
        problem = replace(problem, message=redact(problem.message), hint=hint)
        position = document.position(problem.path, of_key=problem.of_key)
        placed[position.line, position.column, problem.message] = problem
    blocks = [
        _block(document.source, Position(line, column), _label(document, placed[line, column, message]), hint)
        for line, column, message in sorted(placed)[:_MOST_SHOWN]
        for hint in [placed[line, column, message].hint]
    ]
    if len(placed) > _MOST_SHOWN:
        blocks.append(f"… and {len(placed) - _MOST_SHOWN} more")
    return _error(document.source.name, len(placed), blocks)


def _secret_values(interpolated: Interpolated) -> set[str]:
    return {use.value for use in interpolated.uses if is_secret_name(use.name) or _CARRIERS & set(use.path)}


def report_unreadable(error: DocumentError) -> UsageError:
    """Make the error for a text that is not even YAML."""
    return _error(error.source.name, 1, [_block(error.source, error.position, error.reason, error.hint)])


def _error(name: str, count: int, blocks: list[str]) -> UsageError:
    head = f"{name}: {count} {'problem' if count == 1 else 'problems'}, nothing was sent"
    return UsageError("\n\n".join([head, *blocks]))


def _block(source: Source, position: Position, message: str, hint: str | None) -> str:
    place = f"{source.name}:{position.line}:{position.column}: "
    lines = [_wrap(place + message, "", "  "), indent(source.excerpt(position), "  ")]
    return "\n".join([*lines, _wrap(hint, "  hint: ", "        ")] if hint else lines)


def _wrap(text: str, first: str, others: str) -> str:
    return fill(
        text, _WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False, break_on_hyphens=False
    )


def _label(document: Document, problem: Problem) -> str:
    """Write where it is before what it is, as far as the file has it."""
    where = ""
    value = document.value
    for step in problem.path:
        if not (isinstance(value, dict) and step in value) and not (isinstance(value, list) and isinstance(step, int)):
            break
        where += f"[{step}]" if isinstance(step, int) else f".{step}" if where else str(step)
        value = value[step]  # type: ignore[index]  # it was looked at above
    return f"{where}: {problem.message}" if where and not problem.of_key else problem.message


def _explain(fault: Mapping[str, Any], keys: Mapping[tuple[str, ...], list[str]], hidden: set[Path]) -> Problem:
    path: Path = tuple(fault["loc"])
    kind = fault["type"]
    if kind == "extra_forbidden":
        return Problem(path, f"unknown key {path[-1]}", _suggest_key(path, keys), of_key=True)
    if kind == "missing":
        return Problem(path[:-1], f"{path[-1]} is missing", _MISSING.get(str(path[-1])))
    of_key = path[-1:] == ("[key]",)
    reason = fault.get("ctx", {}).get("error")
    message = _SHAPES.get(kind) or str(reason or fault["msg"])
    said, found, _ = message.partition(", found ")
    if found and _is_hidden(path, hidden):
        message = f"{said}{found}{MASK}"
    elif message.startswith("expected") and not found:
        message += f", found {_show(fault['input'], path, hidden)}"
    return Problem(path[:-1] if of_key else path, message, getattr(reason, "hint", None), of_key)


def _suggest_key(path: Path, keys: Mapping[tuple[str, ...], list[str]]) -> str | None:
    key = str(path[-1])
    parent = tuple(step for step in path[:-1] if isinstance(step, str))
    known = keys.get(parent, [])
    if close := get_close_matches(key, known, n=1):
        return f"did you mean {close[0]}?"
    elsewhere = [where for where, names in keys.items() if key in names]
    if elsewhere:
        return f"{key} belongs {'under ' + '.'.join(elsewhere[0]) if elsewhere[0] else 'at the top level'}"
    return f"known keys: {', '.join(known)}" if known else None


def _show(value: object, path: Path, hidden: set[Path]) -> str:
    if isinstance(value, Template):
        value = value.constant if value.constant is not None else "a per-request placeholder"
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if _is_hidden(path, hidden) or any(is_secret_name(step) for step in path if isinstance(step, str)):
        return MASK
    if not isinstance(value, str):
        return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)
    value = redact_url(value) if "://" in value else value
    text = mask_line([value], 1) if "\n" not in value else MASK
    return repr(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def _is_hidden(path: Path, hidden: set[Path]) -> bool:
    """Tell whether a secret stands there, or above: a scalar may be short for a mapping."""
    return any(path[:depth] in hidden for depth in range(1, len(path) + 1))
