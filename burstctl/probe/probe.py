"""The seam between a run and a signal of its fleet: a probe is read now and then. Knows no kind and no schedule."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")

MAIN = ""
"""The series that a probe is about; others stand beside it under names of their own."""

Reading = Mapping[str, float]
"""Values of one moment by series."""


class ProbeError(Exception):
    """Why a reading failed, in words for people; holds no secret."""


class Probe(Protocol):
    """One signal."""

    async def read(self) -> Sequence[Reading] | None:
        """Give what there is to know now; several readings where several came since the last call, or none.

        No reading says that all is as it was; None, that how it is now can't be known yet.
        Raises `ProbeError`. It may be cancelled at any time, and then ends soon.
        """
        ...

    async def aclose(self) -> None:
        """Leave nothing behind."""
        ...


Fetch = Callable[[str, Mapping[str, str], int], Awaitable[bytes]]
"""Gets a URL with headers, and at most so many bytes of its body; raises `ProbeError` for anything but a 2xx."""


class Output(Protocol):
    """What a command that goes on says."""

    async def more(self, wait_s: float) -> bytes:
        """Give what it said since the last call, waiting so long for a first word.

        Raises `ProbeError` once it has ended and all was given.
        """
        ...

    async def aclose(self) -> None:
        """End it, and all that it started."""
        ...


class Lane(Protocol):
    """A way beside the event loop for what blocks: one call at a time, each with a thread."""

    async def run(self, call: Callable[[], T]) -> T:
        """Give what a call gives; `ProbeError` while an earlier one that was not waited for still runs."""
        ...


@dataclass(frozen=True, slots=True)
class Means:
    """What probes may use of the world around them."""

    fetch: Fetch
    execute: Callable[[Sequence[str]], Awaitable[str]]
    """Runs a command to its end and gives its standard output; `ProbeError` where that can't be."""
    follow: Callable[[Sequence[str]], Awaitable[Output]]
    """Starts a command that goes on."""
    wall: Callable[[], float]
    """Unix time."""
    open_lane: Callable[[], Lane]
    """One for each probe: one that hangs holds up no other."""
    breathe: Callable[[], Awaitable[None]]
    """Lets everything else have its turn: called about each millisecond of long work."""
