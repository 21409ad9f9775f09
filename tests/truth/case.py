"""A line of the table of truth: a server, a burst, what happens meanwhile, and the one right end. Plays nothing."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .server.listen import Server


@dataclass(frozen=True, slots=True)
class Truth:
    """What burstctl must say."""

    code: int
    succeeded: int | None = None
    """None where chance has a part in it, here and below."""
    failed: int | None = None
    unsent: int | None = None
    says: str = ""
    """Stands in the reasons; of a usage error in the message."""
    warns: str = ""
    """Stands in the warnings."""
    seen: Mapping[str, int] = field(default_factory=dict)
    """Statuses and faults over all attempts, where they are told."""


@dataclass(frozen=True, slots=True)
class Stalls:
    """The process gets no processor for `for_s` out of every `every_s`, as under a CPU quota."""

    for_s: float
    every_s: float
    times: int = 10_000
    after: int = 1
    """It begins once the server has seen so many requests."""


@dataclass(frozen=True, slots=True)
class Signalled:
    """The process gets a signal once the server has seen so many requests."""

    number: signal.Signals
    after: int


@dataclass(frozen=True, slots=True)
class Crowded:
    """The process has one core, and so many others want it too."""

    others: int


@dataclass(frozen=True, slots=True)
class ClockStep:
    """The wall clock leaps in mid-run."""

    seconds: float


Meanwhile = Stalls | Signalled | Crowded | ClockStep


@dataclass(frozen=True, slots=True)
class Case:
    """One server with a known nature, and the truth about a burst to it."""

    name: str
    server: Server
    truth: Truth
    count: int = 20
    rate: Any = None
    """The manifest's `rate_limit`; None: 300/s, not adapted to the answers."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """More keys of the one request entry."""
    more: Mapping[str, Any] = field(default_factory=dict)
    """More keys of the manifest; of `target` beside `base_url`."""
    options: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    meanwhile: Meanwhile | None = None
    times: int = 1
    """How often it is played: often where chance has a part in it."""
