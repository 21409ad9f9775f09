"""BL307: load on production that nobody has to start. Knows jobs and hosts, no tools."""

import re
from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.job import Job
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL307"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.LIKELY
SUMMARY = "load goes to production in a job that nobody has to start"
RATIONALE = """\
A load test on production is a decision, not a step. Let somebody start it (`when: manual`), or protect its
environment, or send it to staging. A burst by `burstctl run` keeps to its ceiling and backs off, and is not
reported here."""
BAD = """\
load-test:
  environment: production
  script:
    - oha -q 50 -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  environment: production
  when: manual
  script:
    - oha -q 50 -z 60s "$INFERENCE_URL/predict"
"""

_PRODUCTION = r"(?<![a-z])(prod|production|prd|live)(?![a-z])"
_NOT = r"(pre|non|not)[-_]?(prod|live)"


def check(case: Case) -> Iterable[Hit]:
    """Look for load, other than burstctl's, whose environment, tier or host says production."""
    for job, loads in case.load_jobs():
        if job.manual or job.protected or (job.arms and all(arm.manual for arm in job.arms if arm.runs)):
            continue
        fired = [load for load in loads if load.inference and not load.local and load.kind is not Kind.BURSTCTL]
        said = _says(job)
        load = next((load for load in fired if said or any(map(_is_production, load.hosts))), None)
        if load is not None:
            message = f"{load.tool} sends load to production (by its {said or 'host'}), and nobody has to start it"
            hint = "let it be started by hand, or send it to staging"
            yield Hit(CODE, load.span, message, job=job.name, hint=hint, key=load.tool)


def _says(job: Job) -> str | None:
    if _is_production(job.tier or ""):
        return "deployment tier"
    return "environment" if _is_production(job.environment or "") else None


def _is_production(text: str) -> bool:
    return bool(re.search(_PRODUCTION, text.lower())) and not re.search(_NOT, text.lower())
