"""BL111: a burst manifest whose ceiling is above what the fleet bears. Knows manifests, no pipelines."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit
from burstctl.units import format_rate

CODE = "BL111"
SEVERITY = Severity.ERROR
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a burst manifest's ceiling is above the budget"
RATIONALE = """\
`rate_limit` is the ceiling over all parallel jobs, and the budget is what the whole fleet bears: a single run must not
be allowed to exceed it. Lower the ceiling, or raise `budget` in [tool.burstctl.lint] if the fleet has grown."""
EXAMPLE_PATH = "burst.yaml"
SETTINGS = {"budget": "300/s"}
BAD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
rate_limit: 900/s
requests:
  - name: predict
    path: /predict
thresholds:
  - p95 < 200ms
"""
GOOD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
rate_limit: 300/s
requests:
  - name: predict
    path: /predict
thresholds:
  - p95 < 200ms
"""


def check(case: Case) -> Iterable[Hit]:
    """Compare a manifest's ceiling with the budget."""
    manifest, budget_per_s = case.pipeline.manifest, case.settings.budget_per_s
    if manifest is None or budget_per_s is None or manifest.rate is None or manifest.rate_per_s is None:
        return
    if manifest.rate_per_s > budget_per_s * (1 + 1e-9):
        message = (
            f"the ceiling of {format_rate(manifest.rate_per_s)} is above the budget of {format_rate(budget_per_s)}"
        )
        yield Hit(CODE, manifest.rate, message, hint="lower rate_limit, or raise the budget if the fleet has grown")
