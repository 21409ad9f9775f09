"""BL204: several senders at once, and nobody has said what the fleet bears. Knows sums, no single load."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.aggregate.heaviest import heaviest
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL204"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "jobs send load at the same time, and no budget is set to compare the sum with"
RATIONALE = """\
Each job may keep its own rate while all together send more than the fleet bears. Write what the whole fleet bears as
`budget` under [tool.burstctl.lint] in `pyproject.toml` or `.burstctl.toml`, and lint adds the jobs up (BL201)."""
BAD = """\
first:
  script:
    - oha -q 100 -z 60s "$INFERENCE_URL/predict"
second:
  script:
    - oha -q 100 -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
first:
  script:
    - oha -q 100 -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for sums that nothing is compared with."""
    if case.settings.budget_per_s is not None:
        return
    found = heaviest(case)
    if found.count > 1 and found.known_per_s and found.complete:
        first = max(found.terms, key=lambda term: term.least_per_s)
        yield Hit(
            CODE,
            first.job.key,
            f"up to {found.show()} at the same time, and no budget is set to compare that with",
            job=first.job.name,
            hint="set budget in [tool.burstctl.lint], or give --budget",
        )
