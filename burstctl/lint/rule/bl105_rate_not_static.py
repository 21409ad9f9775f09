"""BL105: a rate that only the running pipeline knows. Knows variables and loads, no tools."""

from collections.abc import Iterable, Iterator

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.job import Job
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import declared_rates, needs_rate

CODE = "BL105"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the rate of a load job is known only when the pipeline runs"
RATIONALE = """\
A rate from the CI system's settings, a secret, another job or an input without a default can't be checked here, and
can be changed without review. A default in the file, `${RATE_LIMIT:-100}`, at least shows what is meant."""
BAD = """\
load-test:
  script:
    - oha -q "$LOAD_RATE" -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  script:
    - oha -q "${LOAD_RATE:-100}" -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for rates that no file of the project states."""
    for job, loads in case.load_jobs():
        seen = set()
        for load in loads:
            if load.rate_text is not None and "$" in load.rate_text and load.rate_span is not None and not load.local:
                seen.add(load.rate_text)
                message = f"the rate of {load.tool} is known only when the pipeline runs"
                yield Hit(CODE, load.rate_span, message, job=job.name, key=load.tool)
        if not seen:
            yield from _variables(case, job)


def _variables(case: Case, job: Job) -> Iterator[Hit]:
    if not needs_rate(case, job) or all(load.local for load in case.loads(job)):
        return
    for variable in declared_rates(case, job):
        if variable.value is None or "$" in variable.value:
            message = f"{variable.name} is known only when the pipeline runs"
            yield Hit(CODE, variable.key, message, job=job.name, key=variable.name)
