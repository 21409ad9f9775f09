"""Checks of `probes` that need more than one key, on what the file says, however broken the rest is."""

from collections.abc import Iterator, Mapping, Sequence

from burstctl.manifest.leaf import text_of
from burstctl.manifest.probe.kinds import KINDS, Kind
from burstctl.manifest.problem import Problem
from burstctl.manifest.suggest import suggest_name
from burstctl.source import Path

_OF_SOME_KINDS = frozenset(key for kind in KINDS.values() for key in kind.keys)


def find_probe_conflicts(value: Mapping[str, object]) -> Iterator[Problem]:
    """Find what a kind of probe lacks or does not take, names that are there twice, and a `follow` of nothing."""
    probes = value.get("probes")
    entries = [(i, one) for i, one in enumerate(probes if isinstance(probes, list) else []) if isinstance(one, dict)]
    names: list[str] = []
    for i, entry in entries:
        name = text_of(entry.get("name"))
        if name is not None and name in names:
            yield Problem(("probes", i, "name"), f"another probe has the name {name}", "names tell probes apart")
        names += [name] if name is not None else []
        kind = text_of(entry.get("kind"))
        if kind is not None and kind.lower() in KINDS:
            yield from _check_entry(entry, kind.lower(), ("probes", i))
    rate_limit = value.get("rate_limit")
    if isinstance(rate_limit, dict):
        yield from _check_follow(rate_limit, names)


def probe_kinds(value: Mapping[str, object]) -> dict[str, str]:
    """Give the kinds of the probes by name, as far as the file can be read."""
    probes = value.get("probes")
    entries = [one for one in (probes if isinstance(probes, list) else []) if isinstance(one, dict)]
    return {
        name: (text_of(one.get("kind")) or "").lower()
        for one in entries
        if (name := text_of(one.get("name"))) is not None
    }


def _check_entry(entry: Mapping[str, object], name: str, path: Path) -> Iterator[Problem]:
    kind = KINDS[name]
    given = {key for key in entry if entry[key] is not None}
    for key in kind.needs:
        if key not in given:
            yield Problem(path, f"{name} probes need {key}", _describe(name, kind))
    chosen = [key for key in kind.either if key in given]
    if kind.either and not chosen:
        yield Problem(path, f"{name} probes need {' or '.join(kind.either)}", _describe(name, kind))
    for key in chosen[1:]:
        yield Problem((*path, key), f"{chosen[0]} and {key} exclude each other", "keep one", of_key=True)
    for key in entry:
        if key in _OF_SOME_KINDS and key not in kind.keys:
            yield Problem((*path, key), f"{name} probes take no {key}", _describe(name, kind), of_key=True)
    if "recovery" in given and kind.recovery_s is None:
        hint = "what it tells is no load that falls back to where it was"
        yield Problem((*path, "recovery"), f"{name} probes have no recovery", hint, of_key=True)


def _check_follow(rate_limit: Mapping[str, object], names: Sequence[str]) -> Iterator[Problem]:
    follow, bound = rate_limit.get("follow"), rate_limit.get("keep_under")
    if bound is not None and follow is None:
        yield Problem(("rate_limit", "keep_under"), "keep_under needs follow", "follow: the name of a probe")
    if follow is None:
        return
    name = text_of(follow)
    if name is not None and name not in names:
        hint = suggest_name(name, names, "there are no probes: add probes: with one")
        yield Problem(("rate_limit", "follow"), f"no probe has the name {name}", hint)
    if bound is None:
        yield Problem(("rate_limit", "follow"), "follow needs keep_under", "such as keep_under: 60")
    workers = rate_limit.get("workers")
    if isinstance(workers, int) and workers > 1:
        hint = "a probe's readings steer one process: leave workers out"
        yield Problem(("rate_limit", "follow"), "follow works with one worker only", hint)


def _describe(name: str, kind: Kind) -> str:
    """Say what a kind takes."""
    may = f"; it may have {', '.join(kind.may)}" if kind.may else ""
    return f"{name} takes {', '.join((*kind.needs, *([' or '.join(kind.either)] if kind.either else ())))}{may}"
