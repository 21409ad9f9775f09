"""Lint findings for people: place, message, excerpt with caret, origin, hint. Knows no rules."""

from burstctl.finding import Finding, Severity
from burstctl.lint.render.concise import line
from burstctl.lint.result import Result

NAME = "text"


def render(result: Result) -> str:
    """Write each finding as a paragraph, then a line that sums up."""
    return "\n".join([*(_paragraph(result, finding) for finding in result.findings), sum_up(result)]) + "\n"


def _paragraph(result: Result, finding: Finding) -> str:
    lines = [line(finding)]
    excerpt = result.excerpt(finding.path, finding.line, finding.column)
    if excerpt:
        lines.extend(f"  {line}" for line in excerpt.split("\n"))
    if finding.origin:
        origin = finding.origin
        lines.append(f"  = {origin.note}, {origin.path}:{origin.line}")
    if finding.hint:
        lines.append(f"  = hint: {finding.hint}")
    if fix := result.fixes.get(finding.identity):
        lines.append(f"  = {'--fix' if fix.safe else '--unsafe-fixes'} can {fix.title}")
    return "\n".join([*lines, ""])


def sum_up(result: Result) -> str:
    """Count findings and files in a line."""
    counts = [(kind, sum(finding.severity is kind for finding in result.findings)) for kind in Severity]
    found = [f"{count} {kind}{'s' if count != 1 else ''}" for kind, count in counts if count]
    silent = f" ({len(result.suppressed)} silenced)" if result.suppressed else ""
    files = f"{len(result.checked)} file{'s' if len(result.checked) != 1 else ''} checked"
    return f"{', '.join(found) or 'no findings'}{silent}; {files}"
