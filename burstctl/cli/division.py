"""Divides one plan between processes: its requests, its ceiling, its window. Starts none of them."""

import math
from dataclasses import replace

from burstctl.pace.share import Share
from burstctl.plan import Plan


def take_share(plan: Plan, share: Share) -> Plan:
    """Reduce a plan to one process's part of it."""
    if share.count == 1:
        return plan
    limit = plan.rate_limit
    part = replace(
        limit, rate_per_s=share.of_rate(limit.rate_per_s), max_in_flight=share.of(limit.most_in_flight), workers=1
    )
    return replace(plan.every(share.count, share.index), rate_limit=part)


def settle_workers(plan: Plan) -> Plan:
    """Reduce the workers to those that can get a request, a place in the window and a send each, and note that."""
    limit = plan.rate_limit
    bounds = {
        "requests": plan.planned,
        "requests in flight": limit.most_in_flight,
        "sends in the ceiling's period": math.ceil(limit.rate_per_s),
    }
    what = min(bounds, key=lambda name: bounds[name])
    most = max(1, bounds[what])
    if limit.workers <= most:
        return plan
    note = f"workers: {most} instead of {limit.workers}, there are no more {what}"
    return replace(plan, rate_limit=replace(limit, workers=most), notes=(*plan.notes, note))
