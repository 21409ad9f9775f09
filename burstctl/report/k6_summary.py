"""The run in the words of k6's `--summary-export`: what GitLab's load-performance widget reads. Knows no files.

Times in milliseconds. `http_req_waiting` is the time to the first byte, `checks` are the thresholds, and a threshold's
own flag is true when it is broken, as k6 has it. Absent figures are 0: the widget knows no others.
"""

import json

from burstctl.gate import Status, Verdict
from burstctl.summary import Spread, Summary

NAME = "k6-summary"


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the document."""
    total = summary.total
    passes = sum(judgement.status is Status.PASS for judgement in verdict.judgements)
    fails = len(verdict.judgements) - passes
    answered_badly = total.attempts - sum(n for status, n in total.status.items() if status < 400)
    seconds = summary.duration_s
    document = {
        "root_group": {"name": "", "path": "", "id": "", "groups": {}, "checks": {}},
        "metrics": {
            "http_reqs": {"count": total.attempts, "rate": _round(total.attempts / seconds if seconds else 0.0)},
            "http_req_duration": _trend(total.latency_ms),
            "http_req_waiting": _trend(total.ttfb_ms),
            "http_req_failed": {
                "value": _round(answered_badly / total.attempts if total.attempts else 0.0),
                "passes": answered_badly,
                "fails": total.attempts - answered_badly,
            },
            "checks": {
                "value": _round(passes / (passes + fails) if verdict.judgements else 0.0),
                "passes": passes,
                "fails": fails,
            },
            "iterations": {"count": total.succeeded, "rate": _round(total.succeeded / seconds if seconds else 0.0)},
        },
    }
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def _trend(spread: Spread) -> dict[str, float]:
    figures = {"avg": "mean", "min": "min", "med": "p50", "max": "max", "p(90)": "p90", "p(95)": "p95"}
    return {name: _round(getattr(spread, figure) or 0.0) for name, figure in figures.items()}


def _round(value: float) -> float:
    return round(value, 6)
