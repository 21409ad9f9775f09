"""The verdict and a few figures as variables for later jobs: GitLab's `artifacts:reports:dotenv`. Knows no files.

A few lines without quotes, blanks or comments, as GitLab's parser wants them, and under its 5 KB. No text from servers
or manifests is among them.
"""

from burstctl.gate import Verdict
from burstctl.summary import Summary

NAME = "gitlab-dotenv"


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the variables; one whose figure is absent is empty."""
    total, latency = summary.total, summary.total.latency_ms
    values = {
        "VERDICT": verdict.result,
        "EXIT_CODE": int(verdict.exit_code),
        "PLANNED": total.planned,
        "SUCCEEDED": total.succeeded,
        "FAILED": total.failed,
        "UNSENT": total.unsent,
        "P50_MS": _number(latency.p50),
        "P95_MS": _number(latency.p95),
        "P99_MS": _number(latency.p99),
        "RATE": _number(summary.rate.achieved),
        "DURATION_S": _number(summary.duration_s),
    }
    return "".join(f"BURSTCTL_{name}={value}\n" for name, value in values.items())


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
