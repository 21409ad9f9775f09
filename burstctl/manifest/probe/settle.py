"""From checked keys of probes to their settings, what of them is secret, and how the report shows them."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from burstctl.interpolate import Use
from burstctl.manifest.probe.keys import ProbeKeys
from burstctl.manifest.probe.kinds import KINDS
from burstctl.manifest.probe.leaf import ProbeUrl
from burstctl.probe_settings import ProbeSettings
from burstctl.secret import Redactor, is_secret_name, redact_url
from burstctl.threshold import Threshold

_RECOVERY_EVERY_S = 1.0
"""How a return is timed, where a reading costs nothing."""
_CARRIERS = frozenset({"headers", "command"})
"""Where a value of the environment goes along with a reading, as credentials do."""


def settle_probes(entries: Iterable[ProbeKeys], thresholds: Iterable[Threshold]) -> tuple[ProbeSettings, ...]:
    """Make the settings; a threshold on a recovery has it watched for as long as its limit at the least."""
    asked_s: dict[str, float] = {}
    for threshold in thresholds:
        if threshold.probe is not None and threshold.metric.endswith(".recovery"):
            asked_s[threshold.probe] = max(threshold.limit, asked_s.get(threshold.probe, 0.0))
    return tuple(_settle(keys, asked_s.get(keys.name, 0.0)) for keys in entries)


def _settle(keys: ProbeKeys, asked_s: float) -> ProbeSettings:
    kind = KINDS[keys.kind]
    own = {key: getattr(keys, key) for key in kind.keys if getattr(keys, key) not in (None, {})}
    url = own.get("url")
    if isinstance(url, ProbeUrl):
        own["url"] = url.url
        if url.user_info is not None:
            credential = b64encode(":".join(url.user_info).encode()).decode()
            own["headers"] = {"authorization": f"Basic {credential}", **keys.headers}
    recovery_s = kind.recovery_s if keys.recovery is None else keys.recovery
    every_s = keys.every or kind.every_s
    return ProbeSettings(
        name=keys.name,
        kind=keys.kind,
        every_s=every_s,
        timeout_s=keys.timeout or kind.timeout_s,
        recovery_s=0.0 if recovery_s is None else max(recovery_s, asked_s),
        recovery_every_s=every_s if kind.is_metered else min(every_s, _RECOVERY_EVERY_S),
        recovery_asked=asked_s > 0,
        required=keys.required,
        keys=own,
    )


def find_probe_secrets(entries: Sequence[ProbeKeys], uses: Iterable[Use]) -> Iterator[str]:
    """Give every value of `probes` that no output may show."""
    for keys in entries:
        yield from (value for name, value in keys.headers.items() if is_secret_name(name))
        yield from _credentials(keys.url)
    yield from (use.value for use in uses if _is_carried(use, entries))


def _credentials(url: ProbeUrl | str | None) -> Iterator[str]:
    if isinstance(url, ProbeUrl):
        if url.user_info is not None:
            # Together as well: that is what basic authentication encodes.
            yield from (*url.user_info, ":".join(url.user_info))
        yield from (value for name, value in parse_qsl(urlsplit(url.url).query) if is_secret_name(name))
    elif url is not None:
        # Never the user, who is called "default" where nobody said otherwise.
        yield unquote(urlsplit(url).password or "")


def _is_carried(use: Use, entries: Sequence[ProbeKeys]) -> bool:
    match use.path:
        case "probes", int(), key, *_ if key in _CARRIERS:
            return True
        case "probes", int(i), "url":
            url = entries[i].url
            return isinstance(url, ProbeUrl) and use.value in urlsplit(url.url).query
    return False


def show_probes(probes: Iterable[ProbeSettings], redactor: Redactor) -> list[dict[str, object]]:
    """Write the settings as the report shows them."""
    return [
        {
            "name": probe.name,
            "kind": probe.kind,
            "every_s": probe.every_s,
            "timeout_s": probe.timeout_s,
            "recovery_s": probe.recovery_s,
            "required": probe.required,
            **{key: _show(key, value, redactor) for key, value in probe.keys.items()},
        }
        for probe in probes
    ]


def _show(key: str, value: object, redactor: Redactor) -> object:
    if isinstance(value, Mapping):
        return redactor.redact_mapping(value)
    if isinstance(value, list):
        return [redactor.redact(one) for one in value]
    if isinstance(value, str):
        return redact_url(redactor.redact(value)) if key == "url" else redactor.redact(value)
    return value
