"""BL302: a program that starts many requests at once. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL302"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "xargs -P, parallel or curl -Z sends many requests at once"
RATIONALE = """\
`xargs -P 50 curl` keeps 50 requests in flight whatever the fleet is able to serve, and starts the next as soon as
one is answered or has failed: a failing fleet gets more requests, not fewer. Write them into a manifest and send
them with `burstctl run`."""
BAD = """\
golden-set:
  script:
    - seq 400 | xargs -P 50 -I{} curl -s -X POST "$INFERENCE_URL/predict" -d @payload.json
"""
GOOD = """\
golden-set:
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for fan-outs of requests that nothing paces."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.kind is Kind.FAN_OUT and not load.limited:
                yield Hit(
                    CODE,
                    load.span,
                    f"{load.tool} is started many times at once, without a rate",
                    job=job.name,
                    hint="write the requests into a manifest and send them with `burstctl run`",
                    severity=load.severity,
                    confidence=load.confidence,
                    key=load.tool,
                )
