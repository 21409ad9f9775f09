"""A comparison for machines, schema `burstctl.comparison/1`: one strict JSON document. Knows no files.

Values are in the metric's `unit`; `change` is relative to the base. What has no `allowed` is shown and does not gate.
"""

import json

from burstctl.comparison import Comparison, Row
from burstctl.metric import unit_of
from burstctl.report.words.inert import disarm_json

NAME = "json"
SCHEMA = "burstctl.comparison/1"


def render(comparison: Comparison) -> str:
    """Write the document."""
    document = {
        "schema": SCHEMA,
        "verdict": comparison.result,
        "exit_code": int(comparison.exit_code),
        "reasons": comparison.reasons,
        "notes": comparison.notes,
        "base": comparison.base_file,
        "new": comparison.new_file,
        "metrics": [_row(row) for row in comparison.rows],
    }
    return disarm_json(json.dumps(document, indent=2, allow_nan=False) + "\n")


def _row(row: Row) -> dict[str, object]:
    return {
        "metric": row.metric,
        "request": row.scope,
        "unit": unit_of(row.metric),
        "base": _round(row.base),
        "new": _round(row.new),
        "change": _round(row.change),
        "allowed": row.allowed or None,
        "result": row.result,
        "reason": row.reason or None,
    }


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.9g}")
