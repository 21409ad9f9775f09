"""The one error root: what a user is told, with hint and exit code. Raised near the cause, caught once in `cli/`."""

from burstctl.exit_code import ExitCode


class BurstctlError(Exception):
    """A failure that is the caller's to mend: `message` says what happened and where, `hint` what to do."""

    exit_code = ExitCode.INTERNAL

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(BurstctlError):
    """A bad option, manifest or file: nothing was sent."""

    exit_code = ExitCode.USAGE
