"""The verdict as GitHub Actions annotations, one for each reason: to be printed in a job. Knows no files.

Text is inert, on one line, and escaped as GitHub's workflow commands want it. GitHub shows ten annotations of a kind.
"""

from burstctl.gate import Result, Verdict
from burstctl.report.words.account import account
from burstctl.report.words.inert import inert
from burstctl.summary import Summary

NAME = "github"

_MOST = 10
_CHARS = 1000
_LEVELS = {Result.PASS: "notice", Result.INCONCLUSIVE: "warning"}


def render(summary: Summary, verdict: Verdict) -> str:
    """Write the commands."""
    level = _LEVELS.get(verdict.result, "error")
    title = f"burstctl: {verdict.result}" + (f" ({summary.name})" if summary.name else "")
    reasons = verdict.reasons or (account(summary),)
    if len(reasons) > _MOST:
        reasons = (*reasons[: _MOST - 1], f"and {len(reasons) - _MOST + 1} more reasons")
    lines = [_command(level, title, reason) for reason in reasons]
    lines += [_command("warning", f"burstctl: {verdict.result}", text) for text in verdict.warnings[:_MOST]]
    return "".join(f"{line}\n" for line in lines)


def _command(level: str, title: str, text: str) -> str:
    name = inert(title, _CHARS).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{level} title={name}::{inert(text, _CHARS).replace('%', '%25')}"
