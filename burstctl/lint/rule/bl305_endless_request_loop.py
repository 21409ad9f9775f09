"""BL305: a loop that never ends and never pauses. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL305"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "an endless loop sends requests without a pause"
RATIONALE = """\
`while true` around a request without a `sleep` sends until the job's timeout, which is an hour in many places. If
it is to wait for something, let it pause and count; if it is to be load, give it an end and a rate with `burstctl
run`."""
BAD = """\
smoke:
  script:
    - |
      while true; do
        curl -s "$API_URL/jobs"
      done
"""
GOOD = """\
smoke:
  script:
    - |
      for attempt in $(seq 1 30); do
        curl -fs "$API_URL/jobs" && break
        sleep 2
      done
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for loops of requests that nothing ends or slows down."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.endless and load.kind in (Kind.LOOP, Kind.BACKGROUND):
                yield Hit(
                    CODE,
                    load.span,
                    f"the loop runs {load.tool} again and again, without an end or a pause",
                    job=job.name,
                    hint="let it sleep and count",
                    severity=load.severity,
                    key=load.tool,
                )
