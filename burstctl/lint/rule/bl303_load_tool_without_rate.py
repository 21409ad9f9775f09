"""BL303: a load generator that sends as fast as it can. Knows loads, no tools."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.load import Kind
from burstctl.lint.pipeline import Hit

CODE = "BL303"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a load generator runs without a rate"
RATIONALE = """\
hey, wrk, oha, ab, bombardier, autocannon and ghz send as fast as answers come unless they are told a rate, and ab,
wrk and siege can't be told any. They measure where a server breaks, which is not what a pipeline should try on a
shared fleet. Set the tool's rate (`oha -q 50`), or use `burstctl run`, which also backs off."""
BAD = """\
load-test:
  script:
    - oha -z 60s "$INFERENCE_URL/predict"
"""
GOOD = """\
load-test:
  script:
    - oha -q 50 -z 60s "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for tools that nothing bounds."""
    for job, loads in case.load_jobs():
        for load in loads:
            if load.kind is Kind.TOOL and not load.limited and not load.closed_loop:
                yield Hit(
                    CODE,
                    load.span,
                    f"{load.tool} runs without a rate: it sends as fast as it can",
                    job=job.name,
                    hint="set the tool's rate, or send with `burstctl run`",
                    severity=load.severity,
                    confidence=load.confidence,
                    key=load.tool,
                )
