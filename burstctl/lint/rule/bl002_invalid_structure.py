"""BL002: a pipeline whose structure its CI system refuses. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL002"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the CI system refuses the pipeline: an unknown or circular parent or reference, or a limit"
RATIONALE = """\
A pipeline that the CI system can't put together starts no job at all, or loses some without a word: `extends` or
`!reference` lead to nothing or in a circle, nest too deep, or a matrix makes more than 200 jobs or two of one name.
What can't be put together can't be checked either."""
BAD = """\
load-test:
  extends: .fleet
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""
GOOD = """\
.fleet:
  resource_group: fleet

load-test:
  extends: .fleet
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
