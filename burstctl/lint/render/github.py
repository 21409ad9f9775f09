"""Lint findings as workflow commands that GitHub shows as annotations. Knows no rules.

It shows ten of a kind for each step, so the worst come first, and a line without a command sums up.
"""

from burstctl.finding import Finding
from burstctl.lint.render.text import sum_up
from burstctl.lint.result import Result

NAME = "github"


def render(result: Result) -> str:
    """Write a command for each finding, errors first."""
    ordered = sorted(result.findings, key=lambda finding: (finding.severity.rank, finding.order))
    return "".join(f"{_command(finding)}\n" for finding in ordered) + sum_up(result) + "\n"


def _command(finding: Finding) -> str:
    properties = {"file": finding.path, "line": finding.line, "endLine": finding.end_line}
    if finding.line == finding.end_line:  # GitHub drops an annotation that has columns and spans lines
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    properties["title"] = f"{finding.code}{f' in {finding.job}' if finding.job else ''}"
    shown = ",".join(f"{name}={_escape_property(str(value))}" for name, value in properties.items())
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    return f"::{finding.severity} {shown}::{_escape(f'{finding.message}{hint}')}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
