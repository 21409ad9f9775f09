"""BL001: a file that can't be read. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL001"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the file is no readable YAML or UTF-8 text, or larger than any CI system takes"
RATIONALE = """\
A file that can't be read can't be checked, and whatever it holds passes unseen. The position is where reading had to
stop; the fault is often a line above."""
BAD = """\
load-test:
  script:
    - "echo one
  stage: test
"""
GOOD = """\
load-test:
  script:
    - "echo one"
  stage: test
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
