"""Lint findings as one JSON document, schema `burstctl.lint/1`. Knows no rules."""

import json

from burstctl.lint.result import Result

NAME = "json"


def render(result: Result) -> str:
    """Write the document; lines and columns count from 1, `end_column` is exclusive."""
    document = {
        "schema": "burstctl.lint/1",
        "findings": [finding.as_mapping() for finding in result.findings],
        "files": len(result.checked),
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
