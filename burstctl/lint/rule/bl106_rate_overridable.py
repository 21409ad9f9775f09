"""BL106: a rate that whoever starts the pipeline may raise without end. Knows variables, no tools."""

import re
from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import is_read

CODE = "BL106"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "whoever starts the pipeline may type any rate"
RATIONALE = """\
A form field for the rate invites to try a higher one, and nothing in the pipeline refuses it. Offer a list of rates
that the fleet bears (`options`), or keep the rate out of the form."""
BAD = """\
variables:
  LOAD_RATE:
    value: "50"
    description: Requests per second
load-test:
  script:
    - oha -q "$LOAD_RATE" -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
variables:
  LOAD_RATE:
    value: "50"
    description: Requests per second
    options: ["20", "50", "100"]
load-test:
  script:
    - oha -q "$LOAD_RATE" -z 60s "$INFERENCE_URL/predict"
"""

_AMOUNT = r"(^|_)(USERS|VUS|CONCURRENCY|CONNECTIONS|CLIENTS)(_|$)"


def check(case: Case) -> Iterable[Hit]:
    """Look for variables with a form field and no list of choices, where load depends on them."""
    seen = set()
    for job, loads in case.load_jobs():
        if all(load.local for load in loads):
            continue
        for variable in job.variables.values():
            place = (variable.key.file.path, variable.key.start)
            amount = bool(re.search(_AMOUNT, variable.name.upper()))
            if not variable.asked or place in seen or not (amount or case.is_rate_name(variable.name)):
                continue
            if is_read(case, job, variable.name) or variable.name.startswith("BURSTCTL_RUN_"):
                seen.add(place)
                message = f"whoever starts the pipeline may type any {variable.name}"
                hint = "offer a list of options that the fleet bears"
                yield Hit(CODE, variable.key, message, job=job.name, hint=hint, key=variable.name)
