"""BL004: a `<<` that beats keys before it. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL004"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a `<<` comes after explicit keys and beats them"
RATIONALE = """\
GitLab reads YAML with Ruby's Psych, which merges at the place where `<<` stands: the template overwrites what comes
before it, against the standard and against what other tools show. Put `<<` first, so that a job's own keys win.
GitHub knows anchors and aliases but no `<<`: it refuses the workflow."""
BAD = """\
.fleet: &fleet
  variables:
    RATE_LIMIT: 1000/s

load-test:
  variables:
    RATE_LIMIT: 100/s
  <<: *fleet
  script:
    - burstctl run burst.yaml --rate-limit "$RATE_LIMIT"
"""
GOOD = """\
.fleet: &fleet
  variables:
    RATE_LIMIT: 1000/s

load-test:
  <<: *fleet
  variables:
    RATE_LIMIT: 100/s
  script:
    - burstctl run burst.yaml --rate-limit "$RATE_LIMIT"
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
