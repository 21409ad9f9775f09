"""What a plan will take before it is sent: time, requests in flight, and what speaks against it. Sends nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from burstctl.plan import Plan
from burstctl.threshold import Threshold
from burstctl.units import format_duration, format_ms, format_rate

_MUCH_BYTES = 10**9
_FAST_BYTES_PER_S = 12.5e6
"""What a network of 100 Mbit/s carries."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a sample of the requests showed; empty where none was sent."""

    latency_s: Mapping[str, float] = field(default_factory=dict)
    """Of one request alone: the fastest of each name."""
    body_bytes: Mapping[str, float] = field(default_factory=dict)
    """Mean size of the bodies of each name that go out."""
    announced_per_s: float | None = None
    """The lowest rate of requests that answers announced."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A plan in figures."""

    least_s: float
    """No run of this job's part can be shorter."""
    in_flight: float | None
    """Requests in flight at the ceiling, by Little's law; None where no latency is known."""
    warnings: tuple[str, ...]


def forecast(whole: Plan, own: Plan, seen: Seen) -> Forecast:
    """Look ahead at a plan and at `own`, this job's part of it."""
    limit = own.rate_limit
    latency_s = _mean_latency_s(own, seen)
    in_flight = None if latency_s is None else limit.rate_per_s * latency_s
    by_rate_s = max(0, own.planned - 1) / limit.rate_per_s
    by_window_s = 0.0 if latency_s is None else own.planned * latency_s / limit.most_in_flight
    least_s = max(by_rate_s, by_window_s, latency_s or 0.0)
    return Forecast(least_s, in_flight, tuple(_warn(whole, own, seen, in_flight, least_s)))


def _mean_latency_s(plan: Plan, seen: Seen) -> float | None:
    known = {name: count for name, count in plan.counts.items() if name in seen.latency_s and count}
    if not known:
        return plan.rate_limit.base_latency_s
    return sum(seen.latency_s[name] * count for name, count in known.items()) / sum(known.values())


def _warn(whole: Plan, own: Plan, seen: Seen, in_flight: float | None, least_s: float) -> Iterator[str]:
    limit = own.rate_limit
    if not own.planned and whole.planned:
        yield "this job's share of the plan is empty: its run would do nothing"
    announced, ceiling = seen.announced_per_s, whole.rate_limit.rate_per_s
    if announced is not None and announced < ceiling:
        yield f"the ceiling of {format_rate(ceiling)} is above the {format_rate(announced)} that the endpoint announces"
    if own.deadline_s is not None and own.deadline_s < least_s:
        yield f"the deadline of {own.deadline_s:g} s can't hold: the run takes {format_duration(least_s)} at the least"
    if in_flight is not None and in_flight > limit.most_in_flight:
        yield (
            f"{format_rate(limit.rate_per_s)} would take {in_flight:,.0f} requests in flight: "
            f"max_in_flight {limit.most_in_flight} holds the rate down"
        )
    yield from _warn_of_size(own, seen)
    for threshold in own.thresholds:
        yield from _warn_of_threshold(threshold, own, seen)


def _warn_of_size(plan: Plan, seen: Seen) -> Iterator[str]:
    for name, count in plan.counts.items():
        each = seen.body_bytes.get(name, 0.0)
        per_s = each * min(plan.rate_limit.rate_per_s, count)
        if count * each >= _MUCH_BYTES or per_s >= _FAST_BYTES_PER_S:
            yield (
                f"{name}: {count:,} × {format_bytes(each)} are {format_bytes(count * each)} to send, "
                f"up to {format_bytes(per_s)} per second"
            )


def _warn_of_threshold(threshold: Threshold, plan: Plan, seen: Seen) -> Iterator[str]:
    planned = plan.planned if threshold.scope is None else plan.counts.get(threshold.scope, 0)
    if 0 < planned < threshold.samples_needed:
        yield f"{threshold.label}: needs {threshold.samples_needed:,} samples, and {planned:,} requests are planned"
    if threshold.distribution not in ("latency", "response") or not threshold.operator.startswith("<"):
        return
    alone_s = [
        latency_s
        for name, latency_s in seen.latency_s.items()
        if threshold.scope in (None, name) and name in plan.counts
    ]
    if alone_s and not threshold.holds(min(alone_s) * 1000):
        yield f"{threshold.label}: a request alone took {format_ms(min(alone_s) * 1000)} ms"


def format_bytes(size: float) -> str:
    """Show a size for people: `512 B`, `1.5 kB`, `3 GB`."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.3g} TB"
