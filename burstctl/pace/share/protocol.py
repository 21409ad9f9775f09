"""What a job and the keeper of the common ceiling say to each other, whichever way it goes. Decides nothing.

A job asks every 50 to 175 ms and may use what it was given until its lease ends. It says what it still holds, having
let go of what it was asked for; the answer grants what others let go of. Durations only: clocks are never compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from burstctl.pace.share.terms import Terms

LONGEST_LEASE_US = 10_000_000
LONGEST_US = 60_000_000
"""Of any pause, hold or latency that a job may tell the others."""
LOCK_US = 2_000_000
"""So long nothing free is given out when a job comes back to a ledger that knows of nobody: others will come too."""
AHEAD_US = 250_000
"""How long before a permit may be used it is given out."""
MOST_MEMBERS = 1000


class LostError(Exception):
    """The ledger can't be reached, or is of no use; the message says why, without secrets."""


class MismatchError(Exception):
    """The jobs that are there keep to another ceiling or window."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A job's turn."""

    member: str
    serial: int
    """Rises: an ask that was overtaken by a later one changes nothing."""
    lease_us: int
    held: int
    """Permits, those that are let go of not counted."""
    wanted: int
    window: int
    """Requests in flight that it may have at most until the answer comes."""
    window_wanted: int
    leaves: bool = False
    base_latency_us: int = 0
    pause_us: int = 0
    cut_milli: int = 0
    """What a refusal taught, in thousandths of a request/s; 0: no news."""
    hold_us: int = 0
    released_us: tuple[int, ...] = ()
    """For each permit that it lets go of, how much later it may be used again."""

    def numbers(self) -> tuple[int, ...]:
        """Give all but the name, in the order in which ledgers read them."""
        return (
            self.serial, self.lease_us, self.held, self.wanted, self.window, self.window_wanted, int(self.leaves),
            self.base_latency_us, self.pause_us, self.cut_milli, self.hold_us, *self.released_us,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """The ledger's turn."""

    held: int
    """Permits that are booked for the job, without those granted now."""
    target: int
    """Permits that are its part now: what it holds beyond that it should let go of."""
    window: int
    """Booked for the job."""
    window_target: int
    jobs: int
    rank: int
    """From 0, by name."""
    base_latency_us: int = 0
    pause_us: int = 0
    cut_serial: int = 0
    """Rises with each refusal that any job told."""
    cut_milli: int = 0
    hold_us: int = 0
    granted_us: tuple[int, ...] = ()
    """For each permit granted, how much later it may be used."""

    def numbers(self) -> tuple[int, ...]:
        """Give it as ledgers write it."""
        return (
            self.held, self.target, self.window, self.window_target, self.jobs, self.rank, self.base_latency_us,
            self.pause_us, self.cut_serial, self.cut_milli, self.hold_us, *self.granted_us,
        )  # fmt: skip


def read_answer(numbers: Sequence[object], ask: Ask, terms: Terms) -> Answer:
    """Read an answer; whatever it says, it can't lift a job over the ceiling. `LostError` where it is none."""
    if len(numbers) < 11 or not all(isinstance(number, int) for number in numbers):
        raise LostError("the answer makes no sense")
    values = [number for number in numbers if isinstance(number, int)]
    held = _clamp(values[0], 0, ask.held)
    jobs = _clamp(values[4], 1, MOST_MEMBERS)
    granted = values[11 : 11 + max(0, terms.permits - held)]
    return Answer(
        held=held,
        target=_clamp(values[1], 0, terms.permits),
        window=_clamp(values[2], 0, terms.window),
        window_target=_clamp(values[3], 0, terms.window),
        jobs=jobs,
        rank=_clamp(values[5], 0, jobs - 1),
        base_latency_us=_clamp(values[6], 0, LONGEST_US),
        pause_us=_clamp(values[7], 0, LONGEST_US),
        cut_serial=max(0, values[8]),
        cut_milli=max(0, values[9]),
        hold_us=_clamp(values[10], 0, LONGEST_US),
        granted_us=tuple(_clamp(number, 0, terms.period_us) for number in granted),
    )


def _clamp(number: int, least: int, most: int) -> int:
    return max(least, min(most, number))


class Way(Protocol):
    """How to reach the ledger."""

    async def exchange(self, ask: Ask) -> Answer:
        """Take one turn; `LostError` or `MismatchError`. Cancelled when it takes too long."""
        ...

    async def aclose(self) -> None: ...
