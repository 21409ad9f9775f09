"""BL112: a burst manifest that gates on nothing but failures. Knows manifests, no pipelines."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL112"
SEVERITY = Severity.NOTICE
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a burst manifest has no thresholds"
RATIONALE = """\
Without `thresholds` only failed and unsent requests fail the run: a fleet that answers everything, but ten times slower
than yesterday, passes. Add at least a percentile of the latency, such as `p95 < 200ms`."""
EXAMPLE_PATH = "burst.yaml"
BAD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
rate_limit: 100/s
requests:
  - name: predict
    path: /predict
"""
GOOD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
rate_limit: 100/s
requests:
  - name: predict
    path: /predict
thresholds:
  - p95 < 200ms
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for a manifest's thresholds."""
    manifest = case.pipeline.manifest
    if manifest is not None and not manifest.has_thresholds:
        message = "this manifest has no thresholds: however slow the answers are, the run passes"
        yield Hit(CODE, manifest.head, message, hint="add a percentile of the latency, such as p95 < 200ms")
