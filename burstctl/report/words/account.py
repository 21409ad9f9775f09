"""Says in one line what became of the requests, and in another how the run was paced. Gives no verdict."""

from burstctl.summary import Summary
from burstctl.units import format_duration, format_ms, format_rate, format_share

# With fewer successes a p95 is but the slowest of them, and called so.
_ENOUGH_FOR_P95 = 20


def account(summary: Summary) -> str:
    """Count the requests: `1,188 of 1,200 requests succeeded in 4.1 s, 12 failed, p95 84 ms`."""
    total, latency = summary.total, summary.total.latency_ms
    parts = [f"{total.succeeded:,} of {total.planned:,} requests succeeded in {format_duration(summary.duration_s)}"]
    if total.failed:
        parts.append(f"{total.failed:,} failed")
    if total.unsent:
        parts.append(f"{total.unsent:,} not sent")
    if latency.count:
        p95 = f"p95 {format_ms(latency.p95)} ms"
        parts.append(p95 if latency.count >= _ENOUGH_FOR_P95 else f"slowest {format_ms(latency.max)} ms")
    if summary.shard.total > 1:
        parts.append(f"job {summary.shard.index} of {summary.shard.total}")
    return ", ".join(parts)


def pace(summary: Summary) -> str:
    """Hold the pace against its bounds: `ceiling 300/s, achieved 299.7/s, …`."""
    rate, in_flight = summary.rate, summary.in_flight
    parts = [f"ceiling {format_rate(rate.ceiling)}"]
    if rate.achieved is not None:
        parts.append(f"achieved {rate.achieved:,.4g}/s")
    parts += [f"most in any second {rate.max_1s:,}", f"in flight up to {in_flight.max:,}"]
    return ", ".join(parts)


def generator(summary: Summary) -> str:
    """Say how burstctl itself did: `lag p99 0.90 ms, cpu 21%`."""
    lag, cpu = summary.generator.lag_ms, summary.generator.cpu
    parts = [f"lag p99 {format_ms(lag.p99)} ms"] if lag.p99 is not None else []
    parts.append(f"cpu {format_share(cpu)}")
    if summary.generator.delivered < 1:
        parts.append(f"{format_share(summary.generator.delivered)} of the allowed load delivered")
    return ", ".join(parts)
