"""BL202: parallel instances of a job that each send at the whole rate. Knows terms, no budget's reckoning."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.aggregate.term import terms
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL202"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.LIKELY
SUMMARY = "each parallel instance of a job sends at the whole rate"
RATIONALE = """\
`parallel: 3` starts the same script three times, so the fleet gets three times the rate that the job says. Divide it by
the number of instances that the CI system tells (`CI_NODE_TOTAL`), or use `burstctl run`, which does so by itself.
With a budget set the sum is compared instead: what stays within the budget is divided well enough."""
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
  script:
    - burstctl run burst.yaml --rate-limit 300/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for jobs whose instances don't share one rate."""
    if case.settings.budget_per_s is not None:
        return
    for term in terms(case):
        job, count = term.job, term.instances
        closed = any(load.closed_loop for load in case.loads(job))
        if count == 1 or term.divided or not (term.bounded or closed):
            continue
        known = term.total_per_s is not None and len(set(term.rates_per_s)) == 1
        each = f", {term.show()}" if known else ""
        yield Hit(
            CODE,
            job.spread or job.key,
            f"all {count or 'parallel'} instances of {job.name} send at the whole rate{each}",
            job=job.name,
            hint="divide the rate by the number of instances, or send with `burstctl run`, which does so by itself",
            severity=Severity.NOTICE if count is None else None,
        )
