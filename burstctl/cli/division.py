"""Divides one plan: between parallel jobs, and between the processes of one. Starts none of them."""

import math
from collections.abc import Mapping
from dataclasses import replace

from burstctl.errors import UsageError
from burstctl.pace.jobs import Place, find_place
from burstctl.pace.share.split import Share
from burstctl.plan import Plan
from burstctl.summary import Shard
from burstctl.units import format_rate


def settle_jobs(plan: Plan, environ: Mapping[str, str]) -> Plan:
    """Reduce a plan to this job's part of its ceiling and window and, if they are split too, of its requests."""
    limit = plan.rate_limit
    place = find_place(limit.jobs, limit.job, environ)
    if place.jobs == 1:
        return plan
    share = Share(place.job - 1, place.jobs)
    if limit.share is not None:
        return _settle_shared(plan, place)
    if limit.most_in_flight < place.jobs:
        raise UsageError(
            f"max_in_flight {limit.most_in_flight} can't be divided between {place.jobs} jobs",
            hint="each of them needs at least 1",
        )
    part = replace(
        limit, rate_per_s=share.of_rate(limit.rate_per_s), max_in_flight=share.of(limit.most_in_flight), jobs=1
    )
    of_requests = plan.every(share.count, share.index) if limit.split == "requests" else plan
    what = f"{format_rate(part.rate_per_s)} of {format_rate(limit.rate_per_s)}"
    if limit.split == "requests":
        what += f", {of_requests.planned:,} of {plan.planned:,} requests"
    note = f"job {place.job} of {place.jobs} ({place.told_by}): {what}; jobs: 1 gives one job the whole ceiling"
    settings = dict(plan.settings)
    of_limit = settings.get("rate_limit")
    if isinstance(of_limit, dict):
        settings["rate_limit"] = {**of_limit, "jobs": place.jobs}
    return replace(
        of_requests,
        rate_limit=part,
        notes=(*plan.notes, note),
        shard=Shard(place.job, place.jobs),
        settings=settings,
    )


def _settle_shared(plan: Plan, place: Place) -> Plan:
    """Leave the ceiling whole: the jobs will divide it as they go; only the requests may be divided beforehand."""
    limit, of_requests = plan.rate_limit, plan
    note = f"job {place.job} of {place.jobs} ({place.told_by})"
    if limit.split == "requests":
        of_requests = plan.every(place.jobs, place.job - 1)
        note += f": {of_requests.planned:,} of {plan.planned:,} requests"
    settings = dict(plan.settings)
    of_limit = settings.get("rate_limit")
    if isinstance(of_limit, dict):
        settings["rate_limit"] = {**of_limit, "jobs": place.jobs}
    return replace(of_requests, notes=(*plan.notes, note), shard=Shard(place.job, place.jobs), settings=settings)


def phase_s(shard: Shard, rate_per_s: float, wall_s: float) -> float:
    """Tell how long to wait so that the sends of parallel jobs fall between each other's, by everybody's wall clock.

    `rate_per_s` is this job's own ceiling; at most one of its intervals is waited.
    """
    if shard.total == 1:
        return 0.0
    interval_s = 1.0 / rate_per_s
    own_s = interval_s * (shard.index - 1) / shard.total
    return (own_s - wall_s) % interval_s


def take_share(plan: Plan, share: Share) -> Plan:
    """Reduce a plan to one process's part of it."""
    if share.count == 1:
        return plan
    limit = plan.rate_limit
    part = replace(limit, workers=1)
    if limit.share is None:
        part = replace(part, rate_per_s=share.of_rate(limit.rate_per_s), max_in_flight=share.of(limit.most_in_flight))
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
