"""Lint findings as JSON, one object in each line, for programs that read as they go. Knows no rules."""

import json

from burstctl.lint.result import Result

NAME = "jsonl"


def render(result: Result) -> str:
    """Write each finding as the `json` format has it, in a line of its own."""
    lines = (json.dumps(finding.as_mapping(), ensure_ascii=False) for finding in result.findings)
    return "".join(f"{line}\n" for line in lines)
