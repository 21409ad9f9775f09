"""BL010: an include that can't be read here. Knows nothing of why; readers tell."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL010"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the pipeline includes something that can't be read here"
RATIONALE = """\
Lint reads files of the project and nothing else. Whatever a job takes from a remote file, another project, a template
or a component is unknown, so a rate limit that seems to be missing may stand there: such a finding is a notice only.
Map the include to a local copy with the setting `include-map` to have it read."""
BAD = """\
include:
  - project: platform/ci
    file: /load.yml

load-test:
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""
GOOD = """\
load-test:
  script:
    - burstctl run burst.yaml --rate-limit 100/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what readers have met."""
    return case.pipeline.noted(CODE)
