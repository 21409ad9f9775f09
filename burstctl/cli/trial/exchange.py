"""One exchange of a dry-run as it may be shown: redacted, not yet laid out. Knows no terminal."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from burstctl.examine import Check, examine
from burstctl.expect import excerpt
from burstctl.outcome import Outcome
from burstctl.plan import Plan, Request
from burstctl.secret import Redactor, is_secret_name, redact_url, secret_values

_DIFF_LINES = 40
_LIMITS = 12


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request that was tried, and what came of it; every text is free of secrets, none of them is inert."""

    name: str
    row: int | None
    method: str
    url: str
    succeeded: bool
    status: str
    """Status and phrase, or the fault, or why it could not be made."""
    protocol: str
    latency_s: float | None = None
    ttfb_s: float | None = None
    checks: tuple[Check, ...] = ()
    limits: tuple[tuple[str, str], ...] = ()
    """Headers in which the server tells of its limits."""
    excerpt: str = ""
    """The start of a failing answer."""
    announced_per_s: float | None = None


def describe(request: Request, outcome: Outcome, plan: Plan) -> Exchange:
    """Make an exchange of a request's outcome."""
    redactors = plan.redactor, Redactor(secret_values(request.headers, request.target))

    def clean(text: str) -> str:
        for redactor in redactors:
            text = redactor.redact(text)
        return text

    attempt, failure = outcome.last, outcome.failure
    url = redact_url(clean(origin_of(plan) + request.target))
    if attempt is None:
        why = f"{failure.cause}: {failure.example}" if failure else "not sent"
        return Exchange(request.name, request.row, request.method, url, False, clean(why), "")  # noqa: FBT003
    answer = attempt.answer
    succeeded = failure is None
    status = f"{answer.fault}: {answer.detail}" if answer.fault else phrase(answer.status or 0)
    checks = () if answer.fault else examine(request.expect, answer, attempt.latency_s)
    quota = attempt.quota
    rate_per_s = None if quota is None else quota.rate_per_s
    if quota is not None and rate_per_s is None and quota.usable and quota.reset_s and quota.reset_s > 0:
        rate_per_s = quota.usable / quota.reset_s
    return Exchange(
        name=request.name,
        row=request.row,
        method=request.method,
        url=url,
        succeeded=succeeded,
        status=clean(status),
        protocol=_protocol(answer.http, answer.tls, plan) if answer.headers or answer.status else "",
        latency_s=attempt.latency_s,
        ttfb_s=None if answer.first_byte_s is None else answer.first_byte_s - attempt.sent_s,
        checks=tuple(
            Check(
                clean(check.condition),
                clean(check.seen),
                check.met,
                tuple(_bound([clean(d) for d in check.difference])),
            )
            for check in checks
        ),
        limits=tuple((name, clean(value)) for name, value in answer.headers if _tells_a_limit(name))[:_LIMITS],
        excerpt="" if succeeded else clean(excerpt(answer.body)),
        announced_per_s=rate_per_s,
    )


def origin_of(plan: Plan) -> str:
    """Give scheme, host and port of the target, where every request goes."""
    parts = urlsplit(plan.target.base_url)
    return f"{parts.scheme}://{parts.netloc}"


def phrase(status: int) -> str:
    """Give a status with its standard phrase; what the server wrote there is of no use."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _tells_a_limit(name: str) -> bool:
    return ("ratelimit" in name.replace("-", "") or name.startswith("retry-after")) and not is_secret_name(name)


def _protocol(http: str, tls: str, plan: Plan) -> str:
    encrypted = plan.target.base_url.startswith("https:")
    return ", ".join(filter(None, (http, tls or ("TLS" if encrypted else "no TLS"))))


def _bound(lines: Sequence[str]) -> Sequence[str]:
    if len(lines) <= _DIFF_LINES:
        return lines
    return [*lines[:_DIFF_LINES], f" … and {len(lines) - _DIFF_LINES:,} more lines"]
