"""Lint findings as a GitLab Code Quality report. Knows no rules.

GitLab shows no `check_name`, so the code begins the description; it takes findings of one fingerprint for one.
"""

import json

from burstctl.finding import Finding, Severity
from burstctl.lint.result import Result

NAME = "gitlab"

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTICE: "info"}


def render(result: Result) -> str:
    """Write the report; one without findings is an empty list."""
    return json.dumps([_issue(finding) for finding in result.findings], indent=2, ensure_ascii=False) + "\n"


def _issue(finding: Finding) -> dict[str, object]:
    job = f" (job {finding.job})" if finding.job else ""
    return {
        "description": f"{finding.code}: {finding.message}{job}",
        "check_name": f"burstctl {finding.code}",
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": finding.path,
            "positions": {
                "begin": {"line": finding.line, "column": finding.column},
                "end": {"line": finding.end_line, "column": finding.end_column},
            },
        },
    }
