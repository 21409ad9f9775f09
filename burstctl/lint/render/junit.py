"""Lint findings as JUnit XML: a suite for each file, a failed case for each finding. Knows no rules."""

from xml.sax.saxutils import escape, quoteattr

from burstctl.finding import Finding, Severity
from burstctl.lint.result import Result

NAME = "junit"


def render(result: Result) -> str:
    """Write the suites; a file without findings has one case that passed, since empty suites show as no tests."""
    suites = [_suite(path, [one for one in result.findings if one.path == path]) for path in _paths(result)]
    cases = sum(max(1, len([one for one in result.findings if one.path == path])) for path in _paths(result))
    failures = sum(finding.fails for finding in result.findings)
    head = f'<testsuites name="burstctl lint" tests="{cases}" failures="{failures}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>", ""])


def _paths(result: Result) -> list[str]:
    return list(dict.fromkeys([*result.checked, *(finding.path for finding in result.findings)]))


def _suite(path: str, findings: list[Finding]) -> str:
    failures = sum(finding.fails for finding in findings)
    name = quoteattr(path)
    counts = f'tests="{max(1, len(findings))}" failures="{failures}" errors="0" skipped="0" time="0"'
    cases = [_case(finding) for finding in findings] or [
        f'    <testcase classname={name} name="no findings" time="0"/>'
    ]
    return "\n".join([f"  <testsuite name={name} {counts}>", *cases, "  </testsuite>"])


def _case(finding: Finding) -> str:
    job = f" {finding.job}" if finding.job else ""
    title = quoteattr(f"{finding.code}{job} {finding.fingerprint[:8]}")
    head = f"    <testcase classname={quoteattr(finding.path)} name={title} file={quoteattr(finding.path)} "
    head += f'line="{finding.line}" time="0">'
    said = f"{finding.path}:{finding.line}:{finding.column}: {finding.message}"
    hint = f"\nhint: {finding.hint}" if finding.hint else ""
    kind = "system-out" if finding.severity is Severity.NOTICE else "failure"
    shown = (
        "" if kind == "system-out" else f" type={quoteattr(str(finding.severity))} message={quoteattr(finding.message)}"
    )
    return f"{head}<{kind}{shown}>{escape(said + hint)}</{kind}></testcase>"
