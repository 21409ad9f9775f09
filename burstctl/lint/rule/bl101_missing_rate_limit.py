"""BL101: a job that fires load and says nowhere how fast. Knows loads and variables, no tools."""

from collections.abc import Iterable, Sequence

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Load
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import declared_rates

CODE = "BL101"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a job fires inference or load requests without a rate limit"
RATIONALE = """\
A fleet is sized for steady load. A job that sends as fast as it can fills the fleet's queue in a second or two:
requests time out, health checks fail, and every other user of the fleet waits. Declare a rate that the fleet bears:
a manifest's `rate_limit` with `burstctl run`, a variable such as `RATE_LIMIT` that the command reads, or the tool's
own option."""
BAD = """\
golden-set:
  stage: verify
  script:
    - hey -n 1200 "$INFERENCE_URL/predict"
"""
GOOD = """\
golden-set:
  stage: verify
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""

_HINT = "send it with `burstctl run`, or set a RATE_LIMIT variable that the command obeys"


def check(case: Case) -> Iterable[Hit]:
    """Look for load that nothing bounds, in jobs that declare no rate."""
    for job in case.pipeline.jobs:
        loads = case.loads(job)
        unlimited = [load for load in loads if load.inference and not load.limited and not load.local]
        demanded = case.must_declare(job) and not any(load.limited for load in loads)
        if not (unlimited or demanded) or declared_rates(case, job):
            continue
        yield Hit(
            CODE,
            job.key,
            f"no rate limit: {_describe(unlimited)}" if unlimited else "this job must declare a rate limit",
            job=job.name,
            hint=_HINT,
            severity=Severity.NOTICE if job.partial else None,
            confidence=_surest(unlimited),
        )


def _surest(loads: Sequence[Load]) -> Confidence | None:
    order = list(Confidence)
    return min((load.confidence for load in loads), key=order.index, default=None)


def _describe(loads: Sequence[Load]) -> str:
    first = loads[0]
    place = first.command_span
    more = f" and {len(loads) - 1} more" if len(loads) > 1 else ""
    note = f" ({first.note})" if first.note else ""
    return f"{first.tool} ({place.file.path}:{place.begins.line}){more} fires requests as fast as it can{note}"
