"""Checks that need more than one key of a manifest, on what the file says, however broken the rest is."""

from collections.abc import Iterator, Mapping

from burstctl.interpolate import Template
from burstctl.manifest.leaf import read_threshold, text_of
from burstctl.manifest.probe.asked import check_asked
from burstctl.manifest.probe.check import find_probe_conflicts, probe_kinds
from burstctl.manifest.problem import Problem, RejectedError
from burstctl.manifest.suggest import suggest_name
from burstctl.source import Path
from burstctl.threshold import Threshold

_BODIES = ("json", "body", "body_file")


def find_conflicts(value: object) -> Iterator[Problem]:
    """Find what contradicts or misses something elsewhere in the manifest."""
    if not isinstance(value, dict):
        return
    target = _mapping(value, "target")
    yield from _twice(_mapping(target, "headers"), ("target", "headers"))
    tls = _mapping(target, "tls")
    if tls.get("key") is not None and tls.get("cert") is None:
        yield Problem(("target", "tls", "key"), "a key needs its cert", "add cert: with the client certificate")
    requests = [(i, entry) for i, entry in enumerate(_list(value, "requests")) if isinstance(entry, dict)]
    names: list[str] = []
    for i, entry in requests:
        path: Path = ("requests", i)
        name = text_of(entry.get("name"))
        if name is not None and name in names:
            yield Problem((*path, "name"), f"another request has the name {name}", "names tell requests apart")
        names += [] if name is None else [name]
        yield from _check_request(entry, path)
    if any(entry.get("data") is None for _, entry in requests):
        for at in ("headers", "query"):
            yield from _unfillable(target.get(at), ("target", at))
    probes = probe_kinds(value)
    for i, line in enumerate(_list(value, "thresholds")):
        scope = _scope(line)
        if scope is not None and scope not in names:
            yield Problem(("thresholds", i), f"no request has the name {scope}", suggest_name(scope, names))
        threshold = _threshold(line)
        if threshold is not None:
            try:
                check_asked(threshold, probes)
            except RejectedError as error:
                yield Problem(("thresholds", i), str(error), error.hint)
    yield from find_probe_conflicts(value)


def _check_request(entry: Mapping[str, object], path: Path) -> Iterator[Problem]:
    bodies = [key for key in _BODIES if key in entry]
    for key in bodies[1:]:
        yield Problem((*path, key), f"{bodies[0]} and {key} exclude each other", "keep one", of_key=True)
    yield from _twice(_mapping(entry, "headers"), (*path, "headers"))
    if entry.get("data") is None:
        yield from _unfillable(entry, path)


def _twice(headers: Mapping[str, object], path: Path) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for name in headers:
        if name.lower() in seen:
            yield Problem((*path, name), f"the header {name} is there twice", "case makes no difference", of_key=True)
        seen[name.lower()] = name


def _unfillable(value: object, path: Path) -> Iterator[Problem]:
    """Find placeholders of a row where there is no data."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _unfillable(item, (*path, key))
    elif isinstance(value, Template):
        for placeholder in value.placeholders:
            if placeholder.reads_row:
                hint = "add data: with a .jsonl, .json or .csv file to every request that it is for"
                yield Problem(path, f"${{{placeholder.name}}} needs data, and there is none", hint)


def _scope(line: object) -> str | None:
    """Give the request name that a threshold is about; None without one, or where it can't be read."""
    if isinstance(line, dict) and len(line) == 1:
        return str(next(iter(line)))
    threshold = _threshold(line)
    return None if threshold is None else threshold.scope


def _threshold(line: object) -> Threshold | None:
    """Read a threshold; None where it can't be read, which the schema says of it."""
    try:
        return read_threshold(line)
    except ValueError:
        return None


def _mapping(value: Mapping[str, object], key: str) -> Mapping[str, object]:
    item = value.get(key)
    return item if isinstance(item, dict) else {}


def _list(value: Mapping[str, object], key: str) -> list[object]:
    item = value.get(key)
    return item if isinstance(item, list) else []
