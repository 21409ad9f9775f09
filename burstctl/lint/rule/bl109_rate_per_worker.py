"""BL109: a rate that counts for each of several workers. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit
from burstctl.units import format_rate

CODE = "BL109"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "the tool multiplies its rate by its number of workers"
RATIONALE = """\
hey's `-q` is the rate of each of its workers, 50 unless `-c` says otherwise, and autocannon's `-R` that of each
thread. `hey -q 10` alone sends up to 500 requests/s. Divide the rate by the workers, or use one worker."""
BAD = """\
load-test:
  script:
    - hey -q 10 -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  script:
    - hey -q 10 -c 1 -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for rates with more than one worker."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.workers < 2 or load.rate_span is None or not load.limited:
                continue
            total = f": {format_rate(load.rate_per_s)} in all" if load.rate_per_s else ""
            message = f"{load.tool} takes this rate for each of {load.workers} workers{total}"
            yield Hit(CODE, load.rate_span, message, job=job.name, severity=load.severity, key=load.tool)
