"""Explains exit codes: what each says and what a pipeline may do about it. Knows nothing of what leads to them."""

from collections.abc import Mapping

from burstctl.exit_code import ExitCode

TITLE = "exit codes"

_TEXTS: Mapping[ExitCode, tuple[str, str]] = {
    ExitCode.PASS: (
        "every threshold held, with data",
        "The burst was sent and measured, and every threshold held. For lint: no error and no warning.",
    ),
    ExitCode.FAIL: (
        "a threshold broke, or lint has findings",
        (
            "A threshold broke, the deadline or --abort ended the run early, or lint found an error or a warning.\n"
            "The change under test is to blame, or the fleet: look at the summary's verdict."
        ),
    ),
    ExitCode.USAGE: (
        "a bad option, manifest or file; nothing was sent",
        (
            "The message names the option or the place in the file, and the hint what to write instead.\n"
            "Nothing was sent, so nothing can be said of the fleet."
        ),
    ),
    ExitCode.UNAVAILABLE: (
        "no request got any HTTP answer",
        (
            "Every attempt ended in a fault such as a refused connection, an unknown host or a broken TLS handshake.\n"
            "The address is wrong or the fleet is down: this says nothing about the change under test."
        ),
    ),
    ExitCode.INCONCLUSIVE: (
        "no honest verdict is possible",
        (
            "burstctl itself could not keep the pace, there were too few samples for a percentile, or a report\n"
            "could not be written. Run it again on a machine that has time for it; --strict would make this a fail."
        ),
    ),
    ExitCode.NOTHING: (
        "there was nothing to do",
        (
            "The plan, or this job's part of it, is empty; for lint: there is no CI file below the path.\n"
            "A pipeline that expects work should treat this as a fault: something was not found."
        ),
    ),
    ExitCode.INTERNAL: (
        "a bug in burstctl",
        "Please report it with the command and the line that it printed; nothing is wrong with your input.",
    ),
    ExitCode.INTERRUPTED: (
        "ended by SIGINT (Ctrl-C)",
        "Somebody interrupted the run. Reports hold what was known until then.",
    ),
    ExitCode.TERMINATED: (
        "ended by SIGTERM or SIGHUP",
        "The CI system cancelled the job or its time was up. Reports hold what was known until then.",
    ),
}


def topics() -> Mapping[str, str]:
    """Map each code to its meaning in a line."""
    return {str(int(code)): f"{code.name.lower()}: {line}" for code, (line, _) in _TEXTS.items()}


def explain(word: str) -> str | None:
    """Explain a code by its number or name; None if there is none."""
    for code, (line, text) in _TEXTS.items():
        if word in (str(int(code)), code.name.lower()):
            return f"exit code {int(code)}, {code.name.lower()}: {line}\n\n{text}\n"
    return None
