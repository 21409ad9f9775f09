"""BL102: a rate that is none. Knows how rates are written, no tools."""

from collections.abc import Iterable, Iterator

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.job import Job
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit
from burstctl.lint.rate import declared_rates, show

CODE = "BL102"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a rate limit that is zero, negative, infinite, no number, or has an unknown unit"
RATIONALE = """\
Some tools take a rate that they can't read for no limit at all, and most take 0 for one. Write a positive number,
with `/s`, `/min` or `/h` where the tool knows units: `RATE_LIMIT: 100/s`."""
BAD = """\
golden-set:
  variables:
    BURSTCTL_RUN_RATE_LIMIT: 100 rps
  script:
    - burstctl run burst.yaml
"""
GOOD = """\
golden-set:
  variables:
    BURSTCTL_RUN_RATE_LIMIT: 100/s
  script:
    - burstctl run burst.yaml
"""

_HINT = "write a positive number, such as 100 or 100/s"


def check(case: Case) -> Iterable[Hit]:
    """Look at the rates of jobs that fire load, or must declare a rate."""
    for job in case.pipeline.jobs:
        if case.loads(job) or case.must_declare(job):
            yield from _variables(case, job)
            yield from _options(case, job)


def _variables(case: Case, job: Job) -> Iterator[Hit]:
    for variable in declared_rates(case, job):
        values = {entry[variable.name] for entry in job.matrix if variable.name in entry}
        if not values and variable.value is not None:
            values = {variable.value}
        for value in sorted(one for one in values if "$" not in one and not _is_rate(one)):
            message = f"{variable.name} is no rate: {show(value)}" if value else f"{variable.name} is empty"
            yield Hit(CODE, variable.span, message, job=job.name, hint=_HINT, key=variable.name)


def _options(case: Case, job: Job) -> Iterator[Hit]:
    for load in case.loads(job):
        text, span = load.rate_text, load.rate_span
        if not load.limited:
            continue  # 0 and its like are the tool's own words for no limit
        if text is None or span is None or "$" in text or "$" in span.text or _is_rate(text):
            continue
        if load.kind is Kind.BURSTCTL and span.file.path == load.path:
            continue  # the manifest's own check says it
        yield Hit(CODE, span, f"{load.tool} is given no rate: {show(text)}", job=job.name, hint=_HINT, key=load.tool)


def _is_rate(text: str) -> bool:
    from burstctl.lint.tool.options import read_rate

    return read_rate(text) is not None
