"""BL108: a rate whose unquoted digits mean another number to the CI system. Knows scalars, no tools."""

import re
from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.pipeline import Hit

CODE = "BL108"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "an unquoted rate that YAML reads as another number than it seems"
RATIONALE = """\
YAML 1.1, which GitLab reads, knows octal numbers (0300 is 192), numbers to base 60 (1:30 is 5400) and numbers with
commas and underscores. Write a plain decimal number, or quote what is meant as text."""
BAD = """\
load-test:
  variables:
    RATE_LIMIT: 0300
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  variables:
    RATE_LIMIT: 300
  script:
    - oha -q "$RATE_LIMIT" -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look at the rates of all jobs, and of the pipeline as a whole."""
    seen = set()
    jobs = [(job.name, one) for job in case.pipeline.jobs for one in case.rate_variables(job)]
    everywhere = [(None, one) for one in case.pipeline.variables if case.is_rate_name(one.name)]
    for job, variable in (*everywhere, *jobs):
        scalar = variable.plain
        if scalar is None or scalar.style or isinstance(scalar.value, str) or scalar.value is None:
            continue
        place = (scalar.span.file.path, scalar.span.start)
        written, read = scalar.text, scalar.as_text
        if place in seen or written == read or re.fullmatch(r"(0|[1-9]\d*)(\.\d+)?", written):
            continue
        seen.add(place)
        fix = None
        if re.fullmatch(r"\d+(\.\d+)?", read) and scalar.span.text == written:
            fix = Fix(f"write {read}, as it is read", (Edit(scalar.span, read),), safe=True)
        hint = f"write {read}, or the number that is meant"
        message = f"{variable.name} is written {written} and read as {read}"
        yield Hit(CODE, scalar.span, message, job=job, hint=hint, key=variable.name, fix=fix)
