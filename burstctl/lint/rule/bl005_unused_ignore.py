"""BL005: a comment that silences nothing, or does not say why. Knows nothing of how comments are matched."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL005"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a comment silences nothing, names an unknown rule, or gives no reason"
RATIONALE = """\
A comment that silences nothing today hides the next real finding on its line. One without a reason leaves whoever reads
it guessing whether the risk was weighed or only the message was in the way. Remove it, or say why behind it."""
BAD = """\
unit-tests:
  script:
    - pytest  # burstctl: ignore[BL101] no load here
"""
GOOD = """\
golden-set:  # burstctl: ignore[BL101,BL303] this fleet is made for the test and nobody else uses it
  script:
    - hey -n 1200 "$INFERENCE_URL/predict"
"""


def check(case: Case) -> Iterable[Hit]:
    """Pass on what reading has shown; which comments are used is known once all rules are asked."""
    return case.pipeline.noted(CODE)
