"""BL107: a rate that only some rules or matrix entries set. Knows arms and variables, no tools."""

from collections.abc import Iterable, Iterator

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.job import Job
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import needs_rate

CODE = "BL107"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "only some of a job's rules, or of its matrix, set the rate"
RATIONALE = """\
Of several rules the first that matches decides, with its variables. A rate that one rule sets and another doesn't
is missing whenever the other one matches: on the default branch, in a schedule, in somebody's first run by hand.
Set it for the job, and let rules override it."""
BAD = """\
load-test:
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      variables: {RATE_LIMIT: "100"}
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
"""
GOOD = """\
load-test:
  variables: {RATE_LIMIT: "50"}
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      variables: {RATE_LIMIT: "100"}
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for rates that hang on a condition, in jobs whose load needs one."""
    for job, loads in case.load_jobs():
        if needs_rate(case, job) and not all(load.local for load in loads) and not job.partial:
            yield from _arms(case, job)
            yield from _matrix(case, job)


def _arms(case: Case, job: Job) -> Iterator[Hit]:
    arms = [arm for arm in job.arms if arm.runs]
    names = {name for arm in arms for name in arm.variables if case.is_rate_name(name) and case.is_limit_name(name)}
    for name in sorted(names - set(job.variables)):
        lacking = [arm for arm in arms if name not in arm.variables]
        if lacking:
            message = f"{name} is missing where this rule matches; {len(arms) - len(lacking)} of {len(arms)} set it"
            hint = f"set {name} in the job's own variables"
            yield Hit(CODE, lacking[0].span, message, job=job.name, hint=hint, key=name)


def _matrix(case: Case, job: Job) -> Iterator[Hit]:
    names = {name for entry in job.matrix for name in entry if case.is_rate_name(name) and case.is_limit_name(name)}
    for name in sorted(names - set(job.variables)):
        having = sum(name in entry for entry in job.matrix)
        if having < len(job.matrix):
            message = f"only {having} of {len(job.matrix)} instances of the matrix have {name}"
            hint = f"set {name} in the job's own variables"
            yield Hit(CODE, job.spread or job.key, message, job=job.name, hint=hint, key=name)
