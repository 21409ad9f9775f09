"""Lint findings in one line each, as compilers write them. Knows no rules."""

from burstctl.finding import Finding
from burstctl.lint.result import Result

NAME = "concise"


def render(result: Result) -> str:
    """Write `path:line:column: severity[CODE] message (job NAME)` for each finding; nothing if there are none."""
    return "".join(f"{line(finding)}\n" for finding in result.findings)


def line(finding: Finding) -> str:
    """Write a finding in one line."""
    job = f" (job {finding.job})" if finding.job else ""
    place = f"{_path(finding.path)}:{finding.line}:{finding.column}"
    return f"{place}: {finding.severity}[{finding.code}] {finding.message}{job}"


def _path(path: str) -> str:
    """Keep a line from beginning with anything that a log reader or a shell takes for more than a name."""
    return path if path[:1].isalnum() or path[:1] in "._/" else f"./{path}"
