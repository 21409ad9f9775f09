"""BL003: a key that stands twice in one mapping. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL003"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a key stands twice in one mapping; the last one wins without a word"
RATIONALE = """\
GitLab takes the last of several equal keys and says nothing: a rate limit, or a whole script, that somebody reads in
the file has no effect. GitHub refuses the whole workflow. Keep one of them."""
BAD = """\
load-test:
  variables:
    RATE_LIMIT: 100/s
  script:
    - burstctl run burst.yaml --rate-limit "$RATE_LIMIT"
  variables:
    TARGET: staging
"""
GOOD = """\
load-test:
  variables:
    RATE_LIMIT: 100/s
    TARGET: staging
  script:
    - burstctl run burst.yaml --rate-limit "$RATE_LIMIT"
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
