"""What a manifest came to, as the report shows it: resolved and redacted. Decides nothing."""

from collections.abc import Iterable, Mapping, Sequence

from burstctl.interpolate import Template
from burstctl.manifest.entry import Entry
from burstctl.manifest.schema import Manifest, RequestKeys
from burstctl.plan import RateLimit, Target, Timeouts
from burstctl.secret import Redactor, redact_url
from burstctl.threshold import Threshold


def resolved_settings(
    manifest: Manifest,
    target: Target,
    rate_limit: RateLimit,
    thresholds: Iterable[Threshold],
    entries: Iterable[tuple[RequestKeys, Entry]],
    probes: Sequence[Mapping[str, object]],
    redactor: Redactor,
) -> dict[str, object]:
    """Write everything that decides what is sent, where and how fast."""
    return {
        "name": redactor.redact(manifest.name),
        "target": {
            "base_url": target.base_url,
            "headers": _values(manifest.target.headers, redactor),
            "query": _values(manifest.target.query, redactor),
            "timeout": _timeouts(target.timeouts),
            "tls": {"ca": target.tls.ca, "cert": target.tls.cert, "key": target.tls.key, "verify": target.tls.verify},
            "proxy": redact_url(target.proxy) if target.proxy else None,
            "http": target.http,
            "max_body": target.max_body,
        },
        "rate_limit": {
            "rate_per_s": rate_limit.rate_per_s,
            "max_in_flight": rate_limit.most_in_flight,
            "controller": rate_limit.controller,
            "target_latency_s": rate_limit.target_latency_s,
            "base_latency_s": rate_limit.base_latency_s,
            "workers": rate_limit.workers,
            "jobs": rate_limit.jobs or 1,
            "split": rate_limit.split,
            "share": redact_url(rate_limit.share) if rate_limit.share else None,
            "share_required": rate_limit.share_required,
            "on_share_loss": rate_limit.on_share_loss,
            "follow": rate_limit.follow,
            "keep_under": rate_limit.keep_under if rate_limit.follow else None,
            "stated": rate_limit.stated,
        },
        "retry": {
            "on": list(manifest.retry.on),
            "max_attempts": manifest.retry.max_attempts,
            "deadline_s": manifest.retry.deadline,
        },
        "deadline_s": manifest.deadline,
        "thresholds": [threshold.label for threshold in thresholds],
        "probes": list(probes),
        "requests": [_request(keys, entry, redactor) for keys, entry in entries],
    }


def _request(keys: RequestKeys, entry: Entry, redactor: Redactor) -> dict[str, object]:
    return {
        "name": entry.name,
        "method": entry.method,
        "path": redact_url(redactor.redact(_text(keys.path))),
        "query": _values(keys.query, redactor),
        "headers": _values(keys.headers, redactor),
        "body": _body(keys, entry),
        "count": entry.count,
        "data": None if entry.rows is None else {"file": entry.rows.path, "rows": entry.rows.count},
        "planned": entry.planned,
        "status": keys.expect.status.text,
        "timeout": None if entry.timeouts is None else _timeouts(entry.timeouts),
        "safe": entry.safe,
    }


def _body(keys: RequestKeys, entry: Entry) -> dict[str, object] | None:
    """Tell a body's kind and size; None bytes: it differs from request to request."""
    kinds = {"json": keys.has_json, "body": keys.body is not None, "body_file": keys.body_file is not None}
    kind = next((kind for kind, given in kinds.items() if given), None)
    return None if kind is None else {"kind": kind, "bytes": None if callable(entry.body) else len(entry.body)}


def _values(values: Mapping[str, Template], redactor: Redactor) -> dict[str, str]:
    return redactor.redact_mapping({name: _text(value) for name, value in values.items()})


def _text(template: Template) -> str:
    return "".join(part if isinstance(part, str) else f"${{{part.name}}}" for part in template.parts)


def _timeouts(timeouts: Timeouts) -> dict[str, float]:
    return {
        "connect_s": timeouts.connect_s,
        "first_byte_s": timeouts.first_byte_s,
        "idle_s": timeouts.idle_s,
        "total_s": timeouts.total_s,
    }
