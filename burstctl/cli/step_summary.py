"""Appends the Markdown report to the job summary that GitHub Actions shows. Knows the variable that names its file."""

import os
from collections.abc import Mapping

from burstctl.gate import Verdict
from burstctl.report import markdown
from burstctl.summary import Summary

_VARIABLE = "GITHUB_STEP_SUMMARY"


def append_step_summary(summary: Summary, verdict: Verdict, environ: Mapping[str, str]) -> str | None:
    """Append it where GitHub asks for one; return why that failed. The file is the runner's, so it must exist."""
    path = environ.get(_VARIABLE)
    if not path:
        return None
    text = markdown.render(summary, verdict).encode("utf-8", "replace") + b"\n"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_NONBLOCK", 0))
        try:
            os.write(descriptor, text)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return f"can't append to {_VARIABLE}: {reason.lower()}"
    return None
