"""BL205: two pipelines at once that together send more than the fleet bears. Knows sums and groups, no single load."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.aggregate.heaviest import heaviest
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit
from burstctl.units import format_rate

CODE = "BL205"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.LIKELY
SUMMARY = "two pipelines at the same time send more than the budget together"
RATIONALE = """\
Each pipeline may stay within the budget, but two merge requests start two pipelines. A resource group (GitLab) or a
concurrency group (GitHub) around the load jobs lets one of them wait for the other. A notice, since nobody can see
in a file how often pipelines meet."""
SETTINGS = {"budget": "300/s"}
BAD = """\
golden-set:
  script:
    - oha -q 300 -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
golden-set:
  resource_group: fleet
  script:
    - oha -q 300 -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for jobs that no group keeps apart from those of another pipeline."""
    budget_per_s = case.settings.budget_per_s
    if budget_per_s is None or case.pipeline.group:
        return
    found = heaviest(case)
    free = [term for term in found.terms if not term.job.group]
    twice_per_s = found.known_per_s + sum(term.least_per_s for term in free)
    if found.known_per_s > budget_per_s or twice_per_s <= budget_per_s:
        return
    first = max(free, key=lambda term: term.least_per_s)
    yield Hit(
        CODE,
        first.job.key,
        f"two pipelines at the same time may send {format_rate(twice_per_s)}, over the budget of "
        f"{format_rate(budget_per_s)}",
        job=first.job.name,
        hint="put the job into a resource group or concurrency group, so that pipelines wait for each other",
    )
