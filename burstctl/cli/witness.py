"""What a user asked to see of single requests: the log of answers, the failures of `-v`. Knows no totals."""

from collections.abc import Callable
from dataclasses import dataclass

from burstctl.outcome import Outcome
from burstctl.plan import Request
from burstctl.record.responses import ResponseLog
from burstctl.secret import Redactor

FAILURES_SHOWN = 50
"""In the whole run: what else fails is in the reports."""


@dataclass(slots=True)
class Witness:
    """Takes the end of every request."""

    log: ResponseLog | None
    say: Callable[[str], None]
    redactor: Redactor
    left: int
    """How many failures are still told."""

    def see(self, request: Request, outcome: Outcome) -> None:
        if self.log is not None:
            self.log.add(request, outcome)
        if self.left and outcome.failure is not None:
            self.left -= 1
            cause = self.redactor.redact(outcome.failure.cause)
            tries = "1 attempt" if outcome.attempts == 1 else f"{outcome.attempts} attempts"
            self.say(f"failed: {request.name} #{request.index} after {tries}: {cause}")
