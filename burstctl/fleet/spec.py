"""Everything that is settable about a simulated fleet, validated. Knows neither time nor requests."""

import math
from dataclasses import dataclass
from enum import StrEnum


class ServiceTime(StrEnum):
    """How the time that a request occupies a slot is distributed around its mean."""

    FIXED = "fixed"
    LOGNORMAL = "lognormal"
    EXPONENTIAL = "exponential"


@dataclass(frozen=True, slots=True)
class Quota:
    """A token bucket in front of the fleet, full at the start."""

    rate_per_s: float
    bucket: float
    """Most tokens it holds: how many requests may come at once."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rate_per_s) and self.rate_per_s > 0):
            raise ValueError("a quota's rate must be more than 0")
        if not (math.isfinite(self.bucket) and self.bucket >= 1):
            raise ValueError("a quota's bucket must hold at least 1 request")


@dataclass(frozen=True, slots=True)
class Step:
    """A value that holds from `at_s` seconds after the fleet's start."""

    at_s: float
    value: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.at_s) and self.at_s >= 0):
            raise ValueError("a step's time must be 0 or more")
        if not (math.isfinite(self.value) and self.value >= 0):
            raise ValueError("a step's value must be 0 or more")


@dataclass(frozen=True, slots=True)
class FleetSpec:
    """A fleet's settings; the defaults are three instances with one worker of 150 requests/s each."""

    slots: int = 3
    """Requests served at once by the whole fleet: instances × workers."""
    service_mean_s: float = 1 / 150
    service_time: ServiceTime = ServiceTime.LOGNORMAL
    sigma: float = 0.5
    """Spread of the lognormal service time."""
    queue_limit: int | None = None
    """A request that finds this many waiting is refused; None: the queue has no bound."""
    overload_status: int = 503
    """What a full queue answers: 503 or 429."""
    quota: Quota | None = None
    retry_after_s: int | None = None
    """Sent with every 429 and 503; None: computed for a 429, absent from a 503."""
    policy_header: bool = False
    """Tell the quota in `RateLimit-Policy` and `RateLimit` headers."""
    error_share: float = 0.0
    """Share of requests that fail at random before they queue, whatever the load."""
    error_status: int = 500
    capacity_steps: tuple[Step, ...] = ()
    """New capacities in requests/s; 0 is an outage: what runs finishes, the queue waits."""
    service_steps: tuple[Step, ...] = ()
    """New service means in seconds, on the slots that there are."""
    seed: int = 0

    def __post_init__(self) -> None:
        _require(self.slots >= 1, "slots must be at least 1")
        _require(math.isfinite(self.service_mean_s) and self.service_mean_s > 0, "the service mean must be more than 0")
        _require(0 <= self.sigma <= 3, "sigma must be from 0 to 3")
        _require(self.queue_limit is None or self.queue_limit >= 0, "the queue limit must be 0 or more")
        _require(self.overload_status in {429, 503}, "the overload status must be 429 or 503")
        _require(self.retry_after_s is None or self.retry_after_s >= 1, "Retry-After must be at least 1 s")
        _require(self.quota is not None or not self.policy_header, "a policy header needs a quota to tell")
        _require(0 <= self.error_share <= 1, "the error share must be from 0 to 1")
        _require(400 <= self.error_status <= 599, "the error status must be from 400 to 599")
        _require(all(step.value > 0 for step in self.service_steps), "a service mean must be more than 0")

    @property
    def capacity_rps(self) -> float:
        """Most requests/s that the fleet serves before its first step."""
        return self.slots / self.service_mean_s


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise ValueError(message)
