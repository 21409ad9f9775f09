"""BL203: a sum over jobs that can't be known before the pipeline runs. Knows terms, no single load."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.aggregate.term import Term, terms
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL203"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "how much the jobs send together can't be known"
RATIONALE = """\
A sum needs every rate and every number of instances. Where one comes from a scenario that can't be read, from the web
form or from an earlier job, nobody can compare the sum with the fleet's budget before the pipeline runs. `burstctl run`
keeps one ceiling at run time, however many instances there are."""
SETTINGS = {"budget": "300/s"}
BAD = """\
golden-set:
  parallel: 4
  script:
    - k6 run load.js
"""
GOOD = """\
golden-set:
  parallel: 4
  script:
    - burstctl run burst.yaml --rate-limit 300/s
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for terms that are unknown, where a sum matters."""
    for term in terms(case):
        reason = _reason(term, case)
        if reason:
            yield Hit(
                CODE,
                term.job.spread or term.job.key,
                f"the load of all jobs together can't be known: {reason}",
                job=term.job.name,
                hint="send with `burstctl run`: its ceiling holds over all instances",
            )


def _reason(term: Term, case: Case) -> str | None:
    job = term.job
    closed = any(load.closed_loop for load in case.loads(job))
    matters = case.settings.budget_per_s is not None or term.instances != 1
    if not matters or not (term.bounded or closed):
        return None
    if not term.counted:
        return f"{job.name} has as many instances as the pipeline makes of it"
    if term.total_per_s is None:
        times = "" if term.divided or term.instances == 1 else f", {term.instances} times"
        return f"the rate of {job.name} is not written down{times}"
    return None
