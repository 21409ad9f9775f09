"""BL306: a load generator that nobody tells to stop. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL306"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a load generator has no end, and its job no timeout"
RATIONALE = """\
vegeta without `-duration`, Locust without `--run-time` and siege without `-t` go on until somebody stops them:
here, until the CI system's own timeout. Give the tool an end, and the job a `timeout`."""
BAD = """\
load-test:
  script:
    - echo "GET $INFERENCE_URL/predict" | vegeta attack -rate 20 | vegeta report
"""
GOOD = """\
load-test:
  script:
    - echo "GET $INFERENCE_URL/predict" | vegeta attack -rate 20 -duration 60s | vegeta report
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for tools without an end in jobs without a timeout."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.endless and load.kind is Kind.TOOL and job.timeout is None:
                message = f"{load.tool} has no end, and the job no timeout"
                hint = "give the tool a duration"
                yield Hit(CODE, load.span, message, job=job.name, hint=hint, severity=load.severity, key=load.tool)
