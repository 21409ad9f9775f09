"""A manifest's way to a plan: read, interpolate, override, check, compile. Sends nothing."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from burstctl.document import Document, DocumentError, read_document
from burstctl.errors import UsageError
from burstctl.interpolate import Interpolated, Template, interpolate
from burstctl.manifest.address import parse_base_url
from burstctl.manifest.assemble import Parts, assemble
from burstctl.manifest.check import find_conflicts
from burstctl.manifest.compile import MakeUuid, compile_entry, find_broken_rows, uuid_maker
from burstctl.manifest.diagnose import find_problems, report, report_unreadable
from burstctl.manifest.entry import Entry
from burstctl.manifest.gates import compose_thresholds
from burstctl.manifest.overrides import NO_OVERRIDES, Overrides
from burstctl.manifest.problem import Problem, RejectedError
from burstctl.manifest.schema import Manifest, RequestKeys, Target, known_keys, validate, validate_request
from burstctl.manifest.suggest import suggest_name
from burstctl.manifest.turns import lengthen
from burstctl.plan import Plan
from burstctl.source import Path as KeyPath

MAX_BYTES = 8 * 2**20
"""Of the manifest itself; data files may have any size."""

Entries = list[tuple[RequestKeys, Entry]]


def load(
    path: str,
    *,
    stdin: BinaryIO,
    environ: Mapping[str, str],
    overrides: Overrides = NO_OVERRIDES,
    run_id: str,
    seed: int,
) -> Plan:
    """Make the plan of a manifest, `-` for standard input; a `UsageError` lists all that is wrong with it."""
    source = read_source(path, stdin)
    return load_source(source, path, environ=environ, overrides=overrides, run_id=run_id, seed=seed)


def load_source(
    source: bytes,
    path: str,
    *,
    environ: Mapping[str, str],
    overrides: Overrides = NO_OVERRIDES,
    run_id: str,
    seed: int,
) -> Plan:
    """Make the plan of a manifest that was read from `path` before."""
    if overrides.base_url is not None:
        _check_base_url(overrides.base_url)
    document = _parse(source, path)
    interpolated = interpolate(document.value, {**environ, **overrides.variables}, document.is_plain)
    _check_variables(overrides.variables, interpolated)
    folder = "" if path == "-" else str(Path(path).parent)
    manifest, entries = _check(document, interpolated, overrides, folder, uuid_maker(seed))
    selected = _select(entries, overrides.only)
    if overrides.trickle is not None:
        entries = selected = _lengthen(selected, overrides.trickle)
    planned = [entry.planned for _, entry in entries]
    starts = dict(zip([entry.name for _, entry in entries], accumulate(planned, initial=0), strict=False))
    names = [entry.name for _, entry in selected]
    thresholds = compose_thresholds(
        manifest.thresholds, overrides.thresholds, names, {probe.name: probe.kind for probe in manifest.probes}
    )
    own_origin = None if overrides.base_url is None else _own_origin(interpolated.value)
    parts = Parts(path, manifest, selected, starts, thresholds, interpolated.uses, own_origin, overrides.trickle)
    return assemble(parts, run_id)


def read_source(path: str, stdin: BinaryIO) -> bytes:
    """Read a manifest's bytes."""
    name = _name(path)
    try:
        if path == "-":
            data = stdin.read(MAX_BYTES + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"{name}: there is no such file", hint="- reads the manifest from standard input") from None
    except IsADirectoryError:
        raise UsageError(f"{name} is a directory, not a manifest", hint=f"such as {Path(path, 'burst.yaml')}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"{name} can't be read: {reason}") from None
    if len(data) > MAX_BYTES:
        hint = "move the rows into a data file: .jsonl, .json or .csv"
        raise UsageError(f"{name} is larger than {MAX_BYTES // 2**20} MiB", hint=hint)
    return data


def _parse(source: bytes, path: str) -> Document:
    try:
        return read_document(source, _name(path))
    except DocumentError as error:
        raise report_unreadable(error) from None


def _name(path: str) -> str:
    return "<stdin>" if path == "-" else path


def _check(
    document: Document, interpolated: Interpolated, overrides: Overrides, folder: str, make_uuid: MakeUuid
) -> tuple[Manifest, Entries]:
    """Check everything and compile the requests; one error names all that is wrong."""
    value, replaced = overrides.lay_over(interpolated.value)
    problems = [Problem(u.path, u.reason, u.hint) for u in interpolated.unresolved if u.path not in replaced]
    # What could not be resolved is known to be wrong: whatever else would be said of it is noise.
    unresolved = {problem.path for problem in problems}
    checked = validate(value, folder)
    found = [] if isinstance(checked, Manifest) else find_problems(checked, known_keys(), interpolated)
    found += find_conflicts(value)
    problems += [p for p in found if not any(p.path[:depth] in unresolved for depth in range(len(p.path) + 1))]
    wrong = {problem.path for problem in problems}
    target = (
        checked.target if isinstance(checked, Manifest) else Target.model_validate({"base_url": "http://localhost"})
    )
    entries: Entries = []
    for i, keys in _sound_requests(value, checked, wrong, folder):
        try:
            entry = compile_entry(keys, target, make_uuid)
        except RejectedError as error:
            problems.append(Problem(("requests", i, "data"), str(error), error.hint))
            continue
        entries.append((keys, entry))
        if entry.rows is not None:
            problems += [Problem(("requests", i, "data"), reason) for reason in find_broken_rows(entry, entry.rows)]
    if problems or not isinstance(checked, Manifest):
        raise report(document, problems, interpolated)
    return checked, entries


def _sound_requests(
    value: object, checked: object, wrong: set[KeyPath], folder: str
) -> Iterator[tuple[int, RequestKeys]]:
    """Give the requests with nothing wrong so far, even if the rest of the manifest is: their data can be checked."""
    if isinstance(checked, Manifest):
        yield from ((i, keys) for i, keys in enumerate(checked.requests) if not _touches(wrong, i))
        return
    items = value.get("requests") if isinstance(value, dict) else None
    for i, item in enumerate(items if isinstance(items, list) else []):
        if not _touches(wrong, i) and (keys := validate_request(item, folder)):
            yield i, keys


def _touches(wrong: set[KeyPath], request: int) -> bool:
    return any(path[:2] == ("requests", request) for path in wrong)


def _select(entries: Entries, only: tuple[str, ...]) -> Entries:
    names = [entry.name for _, entry in entries]
    for name in only:
        if name not in names:
            raise UsageError(f"no request has the name {name}", hint=suggest_name(name, names))
    return [(keys, entry) for keys, entry in entries if not only or entry.name in only]


def _lengthen(entries: Entries, trickle: int) -> Entries:
    keys = {entry.name: one for one, entry in entries}
    return [(keys[entry.name], entry) for entry in lengthen([entry for _, entry in entries], trickle)]


def _check_variables(variables: Mapping[str, str], interpolated: Interpolated) -> None:
    """Refuse a variable that nothing uses: it is misspelt, and what it was meant for has another value."""
    for name in variables:
        if name not in interpolated.names:
            names = sorted(interpolated.names)
            hint = suggest_name(name, names, "the manifest uses no variables")
            raise UsageError(f"the manifest has no ${{{name}}} that --var could set", hint=hint)


def _check_base_url(text: str) -> None:
    try:
        parse_base_url(text)
    except RejectedError as error:
        raise UsageError(f"base URL: {error}", hint=error.hint) from None


def _own_origin(value: object) -> str | None:
    """Give the origin of the manifest's own base_url, where it has a valid one."""
    target = value.get("target") if isinstance(value, dict) else None
    text = target.get("base_url") if isinstance(target, dict) else None
    try:
        return parse_base_url(text.constant or "" if isinstance(text, Template) else str(text)).origin
    except RejectedError:
        return None
