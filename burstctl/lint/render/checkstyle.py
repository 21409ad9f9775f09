"""Lint findings as Checkstyle XML, which many CI systems and review bots read. Knows no rules."""

from itertools import groupby
from xml.sax.saxutils import quoteattr

from burstctl.finding import Finding, Severity
from burstctl.lint.result import Result

NAME = "checkstyle"

_SEVERITIES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "info"}


def render(result: Result) -> str:
    """Write an element for each file that has findings."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<checkstyle version="10.0">']
    for path, findings in groupby(result.findings, key=lambda finding: finding.path):
        lines += [f"  <file name={quoteattr(path)}>", *(f"    {_error(one)}" for one in findings), "  </file>"]
    return "\n".join([*lines, "</checkstyle>", ""])


def _error(finding: Finding) -> str:
    job = f" (job {finding.job})" if finding.job else ""
    place = f'line="{finding.line}" column="{finding.column}" severity="{_SEVERITIES[finding.severity]}"'
    return f'<error {place} message={quoteattr(finding.message + job)} source="burstctl.{finding.code}"/>'
