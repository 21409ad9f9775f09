"""BL201: jobs that together send more than the fleet bears. Knows sums, no single load."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.aggregate.heaviest import heaviest
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit
from burstctl.units import format_rate

CODE = "BL201"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the jobs that may run at the same time send more than the budget together"
RATIONALE = """\
The fleet sees the sum of all jobs. Three parallel jobs of 300 requests/s are 900 to it, whatever each of them promises.
Give each its part, let `burstctl run` divide one ceiling between the parallel jobs, or keep the jobs apart by stages,
`needs` or a resource group. The budget is `budget` in [tool.burstctl.lint], or `--budget`."""
SETTINGS = {"budget": "300/s"}
BAD = """\
golden-set:
  parallel: 3
  variables:
    RATE_LIMIT: 300/s
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
golden-set:
  parallel: 3
  variables:
    RATE_LIMIT: 100/s
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Compare the heaviest sum with the budget."""
    budget_per_s = case.settings.budget_per_s
    if budget_per_s is None:
        return
    found = heaviest(case)
    if found.known_per_s <= budget_per_s * (1 + 1e-9):
        return
    first = max(found.terms, key=lambda term: term.least_per_s)
    names = ", ".join(term.job.name for term in found.terms[:3])
    more = f" and {len(found.terms) - 3} more" if len(found.terms) > 3 else ""
    how = "may send" if found.exact and found.complete else "may send up to" if not found.exact else "send at least"
    yield Hit(
        CODE,
        first.job.key,
        f"{names}{more} {how} {found.show()} together, over the budget of {format_rate(budget_per_s)}",
        job=first.job.name,
        hint="give each its part of the budget, or send with `burstctl run`, which divides one ceiling by itself",
        confidence=None if found.exact else Confidence.LIKELY,
        severity=Severity.WARNING if not found.exact else None,
    )
