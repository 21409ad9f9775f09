"""The seam between a run and a signal of its fleet: a probe is read now and then. Knows no kind and no schedule."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

MAIN = ""
"""The series that a probe is about; others stand beside it under names of their own."""

Reading = Mapping[str, float]
"""Values of one moment by series."""


class ProbeError(Exception):
    """Why a reading failed, in words for people; holds no secret."""


class Probe(Protocol):
    """One signal."""

    async def read(self) -> Sequence[Reading]:
        """Give what there is to know now; several readings where several came since the last call, or none.

        Raises `ProbeError`.
        """
        ...

    async def aclose(self) -> None:
        """Leave nothing behind."""
        ...


Fetch = Callable[[str, Mapping[str, str], int], Awaitable[bytes]]
"""Gets a URL with headers, and at most so many bytes of its body; raises `ProbeError` for anything but a 2xx."""


class Output(Protocol):
    """What a command that goes on says, line by line."""

    def lines(self) -> Sequence[str]:
        """Give the lines since the last call. Raises `ProbeError` once it has ended and all was given."""
        ...

    async def aclose(self) -> None:
        """End it, and all that it started."""
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
    in_thread: Callable[[Callable[[], Reading]], Awaitable[Reading]]
    """Runs what would block elsewhere than on the event loop."""
