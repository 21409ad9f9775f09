"""A finished run in figures: what every report, gate and comparison reads. Holds no secret; computes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Ending(StrEnum):
    """Why the run ended."""

    COMPLETE = "complete"
    DEADLINE = "deadline"
    ABORTED = "aborted"
    UNAVAILABLE = "unavailable"
    INTERRUPTED = "interrupted"
    TERMINATED = "terminated"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution in figures; milliseconds. Without samples every figure is None."""

    count: int = 0
    min: float | None = None
    mean: float | None = None
    p50: float | None = None
    p75: float | None = None
    p90: float | None = None
    p95: float | None = None
    p99: float | None = None
    p999: float | None = None
    max: float | None = None
    relative_error: float = 0.0
    """How far a percentile may be off; 0 where it is exact."""
    histogram: tuple[tuple[int, int], ...] = ()
    """All samples, ascending: nanoseconds, to within 0.05 %, and how often."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Like failures, counted."""

    text: str
    count: int
    example: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts and distributions of one scope: the whole run, or one request name."""

    planned: int
    succeeded: int = 0
    failed: int = 0
    unsent: int = 0
    attempts: int = 0
    retries: int = 0
    latency_ms: Spread = Spread()
    """Of succeeded requests: sent to last byte of the deciding attempt."""
    response_ms: Spread = Spread()
    """Of succeeded requests: due to outcome, waits and retries included."""
    wait_ms: Spread = Spread()
    """Of all sent requests: due to first attempt."""
    ttfb_ms: Spread = Spread()
    """Of succeeded requests: sent to first byte of the deciding attempt."""
    failed_ms: Spread = Spread()
    """Of failed requests: sent to the end of the deciding attempt."""
    status: Mapping[int, int] = field(default_factory=dict)
    """Over attempts."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Over attempts."""
    broken_off: int = 0
    """Attempts that ended in a fault after their answer had begun."""
    causes: tuple[Cause, ...] = ()
    """Of failed requests, the most frequent first."""
    retry_causes: tuple[Cause, ...] = ()
    """Of attempts that were tried again, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Rate:
    """Requests/s over all attempts."""

    ceiling: float
    achieved: float | None = None
    """(attempts - 1) / (last send - first send)."""
    max_1s: int = 0
    """Most sends in any sliding second."""
    first_s: float | None = None
    """The first send, in seconds since the run's start."""
    last_s: float | None = None


@dataclass(frozen=True, slots=True)
class InFlight:
    """Requests sent and not yet answered."""

    max: int = 0
    """With several processes the sum of their maxima, which is never below the truth."""
    window: float | None = None
    """The controller's window when the run ended; None without one."""


@dataclass(frozen=True, slots=True)
class Generator:
    """How burstctl itself did."""

    lag_ms: Spread = Spread()
    """Of all attempts, the larger of: sent - max(due, both gates open), and how late the answer was read."""
    cpu: float = 0.0
    """Share of one core over the run, over all processes."""
    delivered: float = 1.0
    """Share of the sends that ceiling and window allowed and that burstctl made; a lost half second is forgiven."""
    processes: int = 1
    """How many shared the work, each bound to one core."""
    lost_s: float = 0.0
    """Schedule that burstctl let pass: every later request has waited as much longer, through no fault of the fleet."""


@dataclass(frozen=True, slots=True)
class Second:
    """One second of the run, by the time of each event; `rate`, `window`, `in_flight` at its end."""

    t: int
    sent: int = 0
    succeeded: int = 0
    failed: int = 0
    status_429: int = 0
    p95_ms: float | None = None
    rate: float | None = None
    window: float | None = None
    in_flight: int = 0


@dataclass(frozen=True, slots=True)
class SeriesFigures:
    """What one series of a probe came to; None without a reading."""

    min: float | None = None
    mean: float | None = None
    max: float | None = None
    last: float | None = None


@dataclass(frozen=True, slots=True)
class ProbeFigures:
    """What one signal of the fleet came to over the run, its units those of the signal."""

    kind: str
    baseline: float | None = None
    """Before the first request."""
    main: SeriesFigures = field(default_factory=SeriesFigures)
    recovery_s: float | None = None
    """From the last answer until the value was back at its baseline; None if it was not, or is not known."""
    watched_s: float | None = None
    """When it was last read after the last answer; None where nothing was to return, or nothing was read."""
    readings: int = 0
    errors: int = 0
    """Readings that failed."""
    series: Mapping[str, SeriesFigures] = field(default_factory=dict)
    """What else the probe tells, by name."""
    causes: tuple[Cause, ...] = ()
    """Of the errors, the most frequent first."""
    required: bool = False
    """A threshold on it fails without a reading, instead of being inconclusive."""
    points: tuple[tuple[float, float], ...] = ()
    """Time in seconds since the run's start, and value."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Which of several parallel jobs this was; index from 1."""

    index: int = 1
    total: int = 1


@dataclass(frozen=True, slots=True)
class Summary:
    """The whole run."""

    name: str
    started_at: str
    """RFC 3339, UTC."""
    duration_s: float
    """First request due to last outcome."""
    total: Figures
    requests: Mapping[str, Figures]
    """By request name, in the plan's order."""
    rate: Rate
    in_flight: InFlight = InFlight()
    generator: Generator = Generator()
    timeline: tuple[Second, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    """Resolved and redacted."""
    notes: tuple[str, ...] = ()
    """What the reader should know: defaults that held, switched-off verification, waits that the server asked for."""
    ending: Ending = Ending.COMPLETE
    ending_reason: str = ""
    shard: Shard = Shard()
    probes: Mapping[str, ProbeFigures] = field(default_factory=dict)
    """By name, in the manifest's order."""
    missing: tuple[str, ...] = ()
    """In words, what belongs to it and is not in it: results of other jobs."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The run so far, for people who watch it and for conditions that end it early."""

    elapsed_s: float
    planned: int
    attempted: int
    """Requests sent at least once."""
    succeeded: int
    failed: int
    attempts: int
    in_flight: int
    waiting: int
    """Requests that wait for their next attempt."""
    failing: int
    """Of those, the ones whose last attempt failed by something else than 429 or 503."""
    sent_1s: int
    """Sends in the last second."""
    rate_per_s: float
    """What the controller allows now."""
    window: float | None
    p95_ms: float | None
    """Latency of the last full second's successes."""
    status: Mapping[int, int] = field(default_factory=dict)
    """Over attempts."""
    faults: Mapping[str, int] = field(default_factory=dict)
    """Over attempts."""
    paused_s: float = 0.0
    """How much longer the whole run waits because the server asked for it; 0 when it doesn't."""
