"""BL012: a pipeline that a job starts and nobody checks. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL012"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a job starts a pipeline that can't be read here"
RATIONALE = """\
A job may start the pipeline of another project, or one that an earlier job has generated. Its load reaches the same
fleet, and lint doesn't see it: check it where it is written."""
BAD = """\
fleet-tests:
  trigger:
    project: platform/fleet-tests
"""
GOOD = """\
fleet-tests:
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
