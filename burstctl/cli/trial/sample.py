"""Which of a plan's requests a dry-run sends, at what pace, and what gates it. Sends nothing."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from burstctl.plan import Plan, Request
from burstctl.threshold import Threshold

MOST_PER_S = 5.0
_MOST_IN_FLIGHT = 5


def take_sample(plan: Plan, most: int) -> list[Request]:
    """Take the first `most` requests of each name."""
    wanted = {name: min(most, count) for name, count in plan.counts.items()}
    left, taken = sum(wanted.values()), Counter[str]()
    sample: list[Request] = []
    for request in plan.requests() if left else ():
        if taken[request.name] < wanted[request.name]:
            taken[request.name] += 1
            sample.append(request)
            left -= 1
            if not left:
                break
    return sample


def make_trial(plan: Plan, sample: Sequence[Request]) -> Plan:
    """Reduce a plan to its sample: slow, one attempt each, whatever the manifest says."""
    rate_per_s = min(MOST_PER_S, plan.rate_limit.rate_per_s)
    pace = replace(
        plan.rate_limit,
        rate_per_s=rate_per_s,
        max_in_flight=min(_MOST_IN_FLIGHT, plan.rate_limit.most_in_flight),
        controller="fixed",
        workers=1,
    )
    counts = Counter(request.name for request in sample)
    return replace(
        plan,
        rate_limit=pace,
        retry=replace(plan.retry, max_attempts=1),
        counts={name: counts[name] for name in plan.counts},
        requests=lambda: iter(sample),
        thresholds=tuple(filter(gates_trial, plan.thresholds)),
        deadline_s=None,
        probes=(),  # they are read once, not watched
    )


def gates_trial(threshold: Threshold) -> bool:
    """Tell whether a threshold can be judged by a few slow requests: shares can, times and rates can't."""
    return threshold.is_share
