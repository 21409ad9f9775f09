"""Conditions that end a run early: what they are asked, what they answer. Each condition is a file of its own."""

from dataclasses import dataclass
from typing import Protocol

from burstctl.summary import Ending, Snapshot


@dataclass(frozen=True, slots=True)
class Stop:
    """The order to send nothing more."""

    ending: Ending
    reason: str
    drain_s: float = 0.0
    """How long answers in flight are still waited for."""


class Guard(Protocol):
    """Looks at the run now and then."""

    def check(self, so_far: Snapshot) -> Stop | None:
        """Say whether the run must end."""
        ...
