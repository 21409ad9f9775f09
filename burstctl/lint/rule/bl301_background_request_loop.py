"""BL301: a loop that puts requests into the background. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL301"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a loop starts requests in the background without a bound"
RATIONALE = """\
`curl … &` in a loop starts every request at once: the loop ends in a second, whatever the fleet is able to serve,
and nothing slows it down when the fleet falls behind. Write the requests into a manifest and send them with
`burstctl run`."""
BAD = """\
golden-set:
  script:
    - |
      for i in $(seq 1 400); do
        curl -s -X POST "$INFERENCE_URL/predict" -d @payload.json &
      done
      wait
"""
GOOD = """\
golden-set:
  variables:
    BURSTCTL_RUN_RATE_LIMIT: 100/s
  script:
    - burstctl run burst.yaml
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for background requests that neither a pause nor a wait in the loop bounds."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.kind is Kind.BACKGROUND and not load.limited and not load.closed_loop:
                yield Hit(
                    CODE,
                    load.span,
                    f"the loop starts {load.tool} in the background each time round, without a bound",
                    job=job.name,
                    hint="write the requests into a manifest and send them with `burstctl run`",
                    severity=load.severity,
                    confidence=load.confidence,
                )
