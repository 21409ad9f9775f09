"""From a checked manifest and its compiled entries to the plan. Reads no file and finds no fault."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from burstctl.attempt import Fault
from burstctl.interpolate import Use
from burstctl.manifest.compile import target_timeouts
from burstctl.manifest.credentials import carries_credentials, find_secrets, find_variables
from burstctl.manifest.entry import Entry
from burstctl.manifest.leaf import RETRY_FAULTS, status_codes
from burstctl.manifest.probe.settle import settle_probes, show_probes
from burstctl.manifest.schema import Manifest, RequestKeys, RetryKeys
from burstctl.manifest.settings import resolved_settings
from burstctl.manifest.turns import count_turns, take_turns
from burstctl.plan import Plan, RateLimit, Request, Retry, Target, Tls
from burstctl.secret import Redactor
from burstctl.threshold import Threshold
from burstctl.units import format_rate


@dataclass(frozen=True, slots=True)
class Parts:
    """What a plan is made of; `entries` are those that will be sent."""

    path: str
    manifest: Manifest
    entries: Sequence[tuple[RequestKeys, Entry]]
    starts: Mapping[str, int]
    """Index of every entry's first request in the whole manifest."""
    thresholds: tuple[Threshold, ...]
    uses: Sequence[Use]
    own_origin: str | None
    """Of the manifest's own `base_url`, where another one took its place."""
    trickle: int | None = None
    """So many requests, the entries taking turns; None: each entry's own, one after the other."""


def assemble(parts: Parts, run_id: str) -> Plan:
    """Make the plan."""
    manifest = parts.manifest
    target = _target(manifest)
    rate_limit = RateLimit(
        manifest.rate_limit.rate,
        manifest.rate_limit.max_in_flight,
        manifest.rate_limit.controller,
        manifest.rate_limit.target_latency,
        manifest.rate_limit.base_latency,
        manifest.rate_limit.workers,
        manifest.rate_limit.jobs,
        manifest.rate_limit.job,
        manifest.rate_limit.split,
        manifest.rate_limit.share,
        manifest.rate_limit.share_required,
        manifest.rate_limit.on_share_loss,
        manifest.rate_limit.follow,
        manifest.rate_limit.keep_under or 0.0,
        stated="rate" in manifest.rate_limit.model_fields_set,
    )
    redactor = Redactor(find_secrets(manifest, parts.uses))
    shown = _shown_names(parts.starts, redactor)
    thresholds = tuple(_rename(threshold, shown) for threshold in parts.thresholds)
    named = [(keys, replace(entry, name=shown[entry.name])) for keys, entry in parts.entries]
    entries = [entry for _, entry in named]
    starts = {shown[name]: start for name, start in parts.starts.items()}
    probes = settle_probes(manifest.probes, thresholds)
    settings = resolved_settings(
        manifest, target, rate_limit, thresholds, named, show_probes(probes, redactor), redactor
    )
    return Plan(
        target=target,
        rate_limit=rate_limit,
        retry=_retry(manifest.retry),
        counts=_counts(entries, parts.trickle),
        requests=lambda: _requests(entries, starts, run_id, parts.trickle),
        thresholds=thresholds,
        name=redactor.redact(manifest.name),
        deadline_s=manifest.deadline,
        settings=settings,
        redactor=redactor,
        notes=tuple(map(redactor.redact, _notes(parts, rate_limit))),
        starts=starts,
        inputs=tuple(dict.fromkeys(_inputs(parts))),
        probes=probes,
        variables=tuple(dict.fromkeys(find_variables(manifest, parts.uses))),
    )


def _counts(entries: Sequence[Entry], trickle: int | None) -> dict[str, int]:
    return {entry.name: entry.planned for entry in entries} if trickle is None else count_turns(entries, trickle)


def _shown_names(names: Iterable[str], redactor: Redactor) -> dict[str, str]:
    """Give each request's name without the secrets in it: what the model is called may be sent as well, in a body."""
    shown: dict[str, str] = {}
    for name in names:
        masked = redactor.redact(name)
        numbered = (masked if n == 1 else f"{masked} ({n})" for n in count(1))
        shown[name] = next(one for one in numbered if one not in shown.values())
    return shown


def _rename(threshold: Threshold, shown: Mapping[str, str]) -> Threshold:
    return threshold if threshold.scope is None else replace(threshold, scope=shown[threshold.scope])


def _requests(
    entries: Sequence[Entry], starts: Mapping[str, int], run_id: str, trickle: int | None
) -> Iterator[Request]:
    """Give the requests, numbered as if none were left out: an index means the same in every run of a manifest."""
    if trickle is not None:
        yield from take_turns(entries, starts, run_id, trickle)
        return
    for entry in entries:
        yield from entry.requests(starts[entry.name], run_id)


def _target(manifest: Manifest) -> Target:
    keys = manifest.target
    return Target(
        base_url=keys.base_url.url,
        timeouts=target_timeouts(keys),
        tls=Tls(keys.tls.ca, keys.tls.cert, keys.tls.key, keys.tls.verify),
        proxy=keys.proxy,
        http=keys.http,
        max_body=keys.max_body,
    )


def _retry(keys: RetryKeys) -> Retry:
    faults = [RETRY_FAULTS[word] for word in keys.on if word in RETRY_FAULTS]
    codes = [status_codes(word) for word in keys.on if word not in RETRY_FAULTS]
    return Retry(
        statuses=frozenset(code for some in codes for code in some),
        faults=frozenset[Fault]().union(*faults),
        max_attempts=keys.max_attempts,
        deadline_s=keys.deadline,
    )


def _notes(parts: Parts, rate_limit: RateLimit) -> Iterator[str]:
    manifest = parts.manifest
    if not rate_limit.stated:
        yield f"rate_limit is not set: the default of {format_rate(rate_limit.rate_per_s)} holds"
    if not manifest.target.tls.verify:
        yield "verify: false: certificates are not checked"
    origin = manifest.target.base_url.origin
    if parts.own_origin not in (None, origin) and carries_credentials(manifest):
        yield f"credentials of the manifest, made for {parts.own_origin}, go to {origin}"
    names = {entry.name for _, entry in parts.entries}
    for threshold in manifest.thresholds:
        if threshold.scope is not None and threshold.scope not in names:
            yield f"the threshold {threshold.label} is left out: {threshold.scope} is not sent"


def _inputs(parts: Parts) -> Iterator[str]:
    if parts.path != "-":
        yield parts.path
    tls = parts.manifest.target.tls
    yield from (path for path in (tls.ca, tls.cert, tls.key) if path is not None)
    yield from (probe.file for probe in parts.manifest.probes if probe.file is not None)
    for keys in parts.manifest.requests:
        yield from (path for path in (keys.body_file, keys.data) if path is not None)
