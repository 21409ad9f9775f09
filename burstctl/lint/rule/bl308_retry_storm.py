"""BL308: requests that are repeated without a pause until they are answered. Knows loads and storms, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL308"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.LIKELY
SUMMARY = "requests or whole load jobs are retried without a pause"
RATIONALE = """\
A fleet that fails under load gets well when the load goes away. Retries without a pause bring the load back at
once, and a load job that is retried twice sends everything three times. Let retries wait, longer each time;
`burstctl run` does."""
BAD = """\
smoke:
  script:
    - until curl -fs -X POST "$INFERENCE_URL/predict" -d @one.json; do echo again; done
"""
GOOD = """\
smoke:
  script:
    - until curl -fs -X POST "$INFERENCE_URL/predict" -d @one.json; do sleep 5; done
"""

_MANY = 2


def check(case: Case) -> Iterable[Hit]:
    """Look for retries in commands, loops and of jobs whose load nothing limits."""
    for job in case.pipeline.jobs:
        for storm in case.storms(job):
            severity = Severity.NOTICE if storm.local else None
            hint = "let it pause between attempts"
            yield Hit(CODE, storm.span, storm.message, job=job.name, hint=hint, severity=severity)
        if job.retry >= _MANY:
            loads = [load for load in case.loads(job) if load.inference and not load.local]
            if any(load.kind is not Kind.BURSTCTL for load in loads):
                message = f"the CI system sends the load of this job up to {job.retry + 1} times"
                yield Hit(CODE, job.key, message, job=job.name, hint="retry a load job once at most", key="job")
