"""Counts and measures a run as it happens, by request name and by second. Judges nothing, keeps no single result."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from burstctl.attempt import Attempt
from burstctl.outcome import Outcome
from burstctl.record.causes import failure_of
from burstctl.record.distribution import Distribution
from burstctl.record.sends import Sends
from burstctl.record.tally import Tally, total_of
from burstctl.record.timeline import Timeline
from burstctl.secret import Redactor


@dataclass(slots=True)
class Counts:
    """The whole run's counts so far, at hand at any moment."""

    planned: int
    succeeded: int = 0
    failed: int = 0
    attempts: int = 0
    status: Counter[int] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def merge(self, other: "Counts") -> None:
        self.planned += other.planned
        self.succeeded += other.succeeded
        self.failed += other.failed
        self.attempts += other.attempts
        self.status.update(other.status)
        self.faults.update(other.faults)


class Recorder:
    """Takes each event once, in the order in which it happens; times in seconds of the run's clock."""

    __slots__ = (
        "_redactor",
        "_start_s",
        "counts",
        "lag_ms",
        "lost_sends",
        "max_in_flight",
        "second_ends_s",
        "sends",
        "tallies",
        "timeline",
    )

    def __init__(
        self, counts: Mapping[str, int], redactor: Redactor, start_s: float, *, in_parts: bool = False
    ) -> None:
        """`in_parts`: `sends` and `timeline` keep what is new until it is taken, for who merges several recorders."""
        self._redactor = redactor
        self._start_s = start_s
        self.tallies = {name: Tally(count, redactor) for name, count in counts.items()}
        self.counts = Counts(sum(counts.values()))
        self.sends = Sends(kept=in_parts)
        self.timeline = Timeline(kept=in_parts)
        self.second_ends_s = start_s + 1.0
        self.lag_ms = Distribution()
        self.lost_sends = 0.0
        """Sends that both gates allowed and that burstctl was too slow to make."""
        self.max_in_flight = 0

    def advance(self, now_s: float, rate_per_s: float, window: float | None, in_flight: int) -> None:
        """Close the seconds that are over; to be called from `second_ends_s` on, before an event is counted."""
        self.timeline.advance(now_s - self._start_s, rate_per_s, window, in_flight)
        self.second_ends_s = self._start_s + self.timeline.ends_s

    def sent(self, sent_s: float, lost_sends: float, in_flight: int) -> None:
        """Count a send; `in_flight` includes it."""
        self.sends.add(sent_s)
        self.timeline.sent()
        self.lost_sends += lost_sends
        if in_flight > self.max_in_flight:
            self.max_in_flight = in_flight

    def retried(self, previous: Attempt) -> None:
        """Count the reason for which a request is sent again."""
        self.tallies[previous.name].retry_causes.add(failure_of(previous))

    def attempt(self, attempt: Attempt, lag_s: float) -> None:
        """Count an ended attempt, and how late burstctl itself was with it."""
        self.lag_ms.add(lag_s * 1000)
        self.tallies[attempt.name].attempt(attempt)
        counts, answer = self.counts, attempt.answer
        counts.attempts += 1
        if answer.fault is not None:
            counts.faults[answer.fault] += 1
        elif answer.status is not None:
            counts.status[answer.status] += 1
        if answer.status == 429:
            self.timeline.answered_429()

    def outcome(self, outcome: Outcome) -> None:
        """Count the end of a request."""
        self.tallies[outcome.name].outcome(outcome)
        if outcome.failure is not None:
            self.counts.failed += 1
            self.timeline.failed()
        elif outcome.last is not None:
            self.counts.succeeded += 1
            self.timeline.succeeded(outcome.last.latency_s * 1000)

    def merge(self, other: "Recorder") -> None:
        """Add what another process counted in the whole run; its sends and seconds are combined as they come."""
        for name, tally in other.tallies.items():
            self.tallies[name].merge(tally)
        self.counts.merge(other.counts)
        self.lag_ms.merge(other.lag_ms)
        self.lost_sends += other.lost_sends
        self.max_in_flight += other.max_in_flight

    def total(self) -> Tally:
        """Add all request names up."""
        return total_of(self.tallies.values(), self._redactor)
