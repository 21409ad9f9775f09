"""What will be sent, frozen: the target, the settings and a lazy row of requests. Knows neither files nor sockets."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from burstctl.attempt import Failure, Fault
from burstctl.expect import DEFAULT_EXPECT, Expect
from burstctl.probe_settings import ProbeSettings
from burstctl.secret import Redactor
from burstctl.summary import Shard
from burstctl.threshold import Threshold
from burstctl.value import value


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Bounds on one attempt, in seconds."""

    connect_s: float = 5.0
    first_byte_s: float = 30.0
    """Sent to the first byte of the answer, connecting included."""
    idle_s: float = 30.0
    """Between two pieces of the answer."""
    total_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Tls:
    """File paths as they can be opened; None where the default holds."""

    ca: str | None = None
    cert: str | None = None
    key: str | None = None
    verify: bool = True


@dataclass(frozen=True, slots=True)
class Target:
    """Where every request of the run goes."""

    base_url: str
    """Absolute http or https URL without user info, query or fragment; a path in it prefixes every request's path."""
    timeouts: Timeouts = Timeouts()
    tls: Tls = Tls()
    proxy: str | None = None
    http: str = "1.1"
    max_body: int = 16 * 2**20
    """Bytes of one answer's body, after decompression."""


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The pace that the run keeps."""

    rate_per_s: float = 300.0
    """The ceiling."""
    max_in_flight: int | None = None
    """None: as many as the controller needs."""
    controller: str = "adaptive"
    target_latency_s: float = 0.2
    """What the adaptive controller keeps the 95th percentile under, where the service itself allows it."""
    base_latency_s: float | None = None
    """Latency without load, where it is known; otherwise the first answers tell."""
    workers: int = 1
    """Processes that send; together they keep to this one limit."""
    jobs: int | None = None
    """Parallel jobs that keep to this one limit together; None: as many as the CI system says."""
    job: int | None = None
    """Which of them this is, from 1; None: the one that the CI system says."""
    split: str = "none"
    """`requests`: they send the requests together, too; `none`: each of them sends all."""
    share: str | None = field(default=None, repr=False)
    """How they share this limit live: `host`, or a Redis URL, password and all; None: they divide it beforehand."""
    share_required: bool = False
    """Whether a share that can't be reached at the start ends the run."""
    on_share_loss: str = "split"
    """`split`: a job that loses the share keeps to its static part; `stop`: it ends."""
    follow: str | None = None
    """The probe that caps the window too."""
    keep_under: float = 0.0
    """The window shrinks while that probe's value is above this."""
    stated: bool = True
    """False where the manifest sets none and the default holds."""

    @property
    def most_in_flight(self) -> int:
        """The bound that holds: stated, or 200 for a server's queue's sake, or with the fixed controller 10,000."""
        return self.max_in_flight or (10_000 if self.controller == "fixed" else 200)


@dataclass(frozen=True, slots=True)
class Retry:
    """Which attempts are tried again, and for how long."""

    statuses: frozenset[int]
    faults: frozenset[Fault]
    max_attempts: int = 10
    deadline_s: float | None = None
    """Per request, from its due time."""


@value
class Request:
    """One unit of the plan, ready to be sent; immutable and the same on every attempt."""

    index: int
    """Place in the plan, from 0."""
    name: str
    method: str
    target: str
    """Path and query as they go on the wire: percent-encoded, starting with a slash, `base_url`'s path included."""
    headers: tuple[tuple[str, str], ...] = ()
    """All of them but Host and Content-Length; names as written."""
    body: bytes = b""
    expect: Expect = DEFAULT_EXPECT
    timeouts: Timeouts | None = None
    """None: the target's."""
    safe: bool = True
    """May be sent again after a fault or status that leaves open whether the server acted on it."""
    row: int | None = None
    """Index of its data row, from 0."""
    broken: Failure | None = None
    """Why it can't be sent at all; it then fails without an attempt."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A resolved manifest."""

    target: Target
    rate_limit: RateLimit
    retry: Retry
    counts: Mapping[str, int]
    """Requests planned by name, in the manifest's order."""
    requests: Callable[[], Iterator[Request]]
    """Starts a new pass over the requests, in order, read lazily."""
    thresholds: tuple[Threshold, ...]
    """The defaults included."""
    name: str = ""
    deadline_s: float | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    """What was resolved, redacted, as the report shows it."""
    redactor: Redactor = field(default_factory=lambda: Redactor(()))
    notes: tuple[str, ...] = ()
    starts: Mapping[str, int] = field(default_factory=dict)
    """Index of the first request of every name in the manifest, left out or not."""
    shard: Shard = field(default_factory=Shard)
    """Which of several parallel jobs sends it."""
    inputs: tuple[str, ...] = ()
    """Paths of every file that it was made of: no output may replace one."""
    variables: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names and secret values of the environment that travel with its requests."""
    probes: tuple[ProbeSettings, ...] = field(default=(), repr=False)
    """What is read of the fleet before, during and after the run."""

    @property
    def planned(self) -> int:
        return sum(self.counts.values())

    def every(self, step: int, first: int) -> "Plan":
        """Reduce it to its requests at the places `first`, `first` + `step`, …; every name stays, if only with none."""
        counts, place = {}, 0
        for name, planned in self.counts.items():
            counts[name] = len(range(place + (first - place) % step, place + planned, step))
            place += planned
        return replace(self, counts=counts, requests=lambda: islice(self.requests(), first, None, step))
