"""BL110: a burst manifest that says no rate. Knows manifests, no pipelines."""

from collections.abc import Iterable

from burstctl.finding import Confidence, Severity
from burstctl.lint.case import Case
from burstctl.lint.pipeline import Hit

CODE = "BL110"
SEVERITY = Severity.WARNING
CONFIDENCE = Confidence.CERTAIN
SUMMARY = "a burst manifest has no rate_limit"
RATIONALE = """\
Without `rate_limit` the default of 300 requests/s holds. That is somebody's guess, not what your fleet bears: write the
ceiling down, where whoever reviews the burst sees it."""
EXAMPLE_PATH = "burst.yaml"
BAD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
requests:
  - name: predict
    path: /predict
    count: 1200
thresholds:
  - p95 < 200ms
"""
GOOD = """\
version: 1
target:
  base_url: ${INFERENCE_URL}
rate_limit: 100/s
requests:
  - name: predict
    path: /predict
    count: 1200
thresholds:
  - p95 < 200ms
"""


def check(case: Case) -> Iterable[Hit]:
    """Look for a manifest's rate, unless the jobs that send it say one."""
    manifest = case.pipeline.manifest
    if manifest is not None and manifest.rate is None and not case.rate_given:
        message = "this manifest has no rate_limit, so the default of 300/s holds"
        yield Hit(CODE, manifest.head, message, hint="write what the fleet bears, such as rate_limit: 100/s")
