"""BL104: a rate that is declared, and that nothing obeys. Knows variables and loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.job import Job, Variable
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import is_read

CODE = "BL104"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.LIKELY
SUMMARY = "a rate limit is declared, but no command of the job reads it"
RATIONALE = """\
A variable limits nothing by itself. Where neither a command nor a file that it runs speaks of it, the job sends as
fast as before, and the variable only makes it look safe."""
BAD = """\
load-test:
  variables:
    RATE_LIMIT: "50"
  script:
    - hey -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  variables:
    RATE_LIMIT: "50"
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for rates in jobs that fire load, none of it by burstctl or out of sight."""
    for job, loads in case.load_jobs():
        if case.opaque(job) or job.partial or any(load.kind is Kind.BURSTCTL for load in loads):
            continue
        if all(load.local or not load.inference for load in loads):
            continue
        missing = any(not load.limited for load in loads)
        for variable in case.rate_variables(job):
            if (
                (missing or _own(variable, job))
                and case.is_limit_name(variable.name)
                and not is_read(case, job, variable.name)
            ):
                message = f"{variable.name} is declared, but no command of {job.name} reads it"
                hint = f"hand it on: `burstctl run --rate-limit ${variable.name}`"
                yield Hit(CODE, variable.key, message, job=job.name, hint=hint, key=variable.name)


def _own(variable: Variable, job: Job) -> bool:
    """Tell whether a variable is set for this job, not for whatever needs it."""
    return variable.level in ("job", "matrix", "rule", "step")
