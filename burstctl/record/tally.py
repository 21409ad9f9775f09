"""The counts and distributions of one request name, or of several together. Knows nothing of time or order."""

from collections import Counter
from collections.abc import Iterable

from burstctl.attempt import Attempt, Failure, Fault
from burstctl.outcome import Outcome
from burstctl.record.causes import Causes
from burstctl.record.distribution import Distribution
from burstctl.secret import Redactor
from burstctl.summary import Figures


class Tally:
    """Counts attempts and outcomes of one scope."""

    __slots__ = (
        "attempts", "broken_off", "causes", "failed", "failed_ms", "faults", "latency_ms", "planned", "response_ms",
        "retries", "retry_causes", "status", "succeeded", "ttfb_ms", "wait_ms",
    )  # fmt: skip

    def __init__(self, planned: int, redactor: Redactor) -> None:
        self.planned = planned
        self.succeeded = self.failed = self.attempts = self.retries = self.broken_off = 0
        self.latency_ms, self.response_ms, self.wait_ms = Distribution(), Distribution(), Distribution()
        self.ttfb_ms, self.failed_ms = Distribution(), Distribution()
        self.status: Counter[int] = Counter()
        self.faults: Counter[Fault] = Counter()
        self.causes, self.retry_causes = Causes(redactor), Causes(redactor)

    def attempt(self, attempt: Attempt) -> None:
        """Count an ended attempt."""
        self.attempts += 1
        if attempt.number > 1:
            self.retries += 1
        answer = attempt.answer
        if answer.fault is not None:
            self.faults[answer.fault] += 1
            self.broken_off += answer.first_byte_s is not None
        elif answer.status is not None:
            self.status[answer.status] += 1

    def outcome(self, outcome: Outcome) -> None:
        """Count the end of a request."""
        if outcome.first_sent_s is not None:
            self.wait_ms.add((outcome.first_sent_s - outcome.due_s) * 1000)
        last = outcome.last
        if outcome.failure is not None:
            self.failed += 1
            self.causes.add(outcome.failure)
            if last is not None:
                self.failed_ms.add(last.latency_s * 1000)
            return
        self.succeeded += 1
        self.response_ms.add((outcome.done_s - outcome.due_s) * 1000)
        if last is not None:
            self.latency_ms.add(last.latency_s * 1000)
            if last.answer.first_byte_s is not None:
                self.ttfb_ms.add((last.answer.first_byte_s - last.sent_s) * 1000)

    def lost(self, count: int, failure: Failure) -> None:
        """Count requests that were sent and of whose end nothing is known."""
        self.attempts += count
        self.failed += count
        if count:
            self.faults[Fault.CANCELLED] += count
            self.causes.add(failure, count)

    def merge(self, other: "Tally") -> None:
        """Add another scope's counts and distributions."""
        self.planned += other.planned
        self.succeeded += other.succeeded
        self.failed += other.failed
        self.attempts += other.attempts
        self.retries += other.retries
        self.broken_off += other.broken_off
        self.status.update(other.status)
        self.faults.update(other.faults)
        self.causes.merge(other.causes)
        self.retry_causes.merge(other.retry_causes)
        for field in ("latency_ms", "response_ms", "wait_ms", "ttfb_ms", "failed_ms"):
            getattr(self, field).merge(getattr(other, field))

    def figures(self) -> Figures:
        """Freeze what was counted; what has no outcome is unsent."""
        return Figures(
            planned=self.planned,
            succeeded=self.succeeded,
            failed=self.failed,
            unsent=self.planned - self.succeeded - self.failed,
            attempts=self.attempts,
            retries=self.retries,
            latency_ms=self.latency_ms.spread(),
            response_ms=self.response_ms.spread(),
            wait_ms=self.wait_ms.spread(),
            ttfb_ms=self.ttfb_ms.spread(),
            failed_ms=self.failed_ms.spread(),
            status=dict(sorted(self.status.items())),
            faults={str(fault): count for fault, count in sorted(self.faults.items())},
            broken_off=self.broken_off,
            causes=self.causes.listed(),
            retry_causes=self.retry_causes.listed(),
        )


def total_of(tallies: Iterable[Tally], redactor: Redactor) -> Tally:
    """Add several scopes up."""
    total = Tally(0, redactor)
    for one in tallies:
        total.merge(one)
    return total
