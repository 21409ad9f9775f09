"""From what `burstctl run` was told to the plan: the same in every process of a run. Knows no streams."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from burstctl.cli.division import settle_jobs
from burstctl.cli.outputs import Wanted
from burstctl.cli.trickle import settle_trickle
from burstctl.errors import UsageError
from burstctl.manifest.load import load_source
from burstctl.manifest.overrides import Overrides
from burstctl.plan import Plan
from burstctl.record.earlier import read_failed
from burstctl.threshold import Threshold


@dataclass(frozen=True, slots=True)
class Options:
    """What `burstctl run` was told; None where the manifest decides."""

    manifest: str
    rate_limit: float | None
    max_in_flight: int | None
    controller: str | None
    target_latency: float | None
    base_latency: float | None
    workers: int | None
    jobs: int | str | None
    job: int | None
    split: str | None
    share: str | None
    base_url: str | None
    var: tuple[tuple[str, str], ...]
    only: tuple[str, ...]
    only_failed: str | None
    threshold: tuple[str, ...]
    strict: bool
    abort: Threshold | None
    max_attempts: int | None
    deadline: float | None
    allow_commands: bool
    wait_ready: tuple[str, float] | None
    report: tuple[Wanted, ...]
    responses: str | None
    seed: int
    progress: str
    color: str
    quiet: bool
    verbose: bool
    trickle: int | None = None
    """Send so many requests, the entries taking turns, instead of the burst."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that a plan is made of: with the same, every process makes the same one."""

    options: Options
    source: bytes
    """The manifest."""
    environ: Mapping[str, str]
    run_id: str


def resolve(told: Told) -> Plan:
    """Make the plan; a `UsageError` lists all that is wrong with manifest and options."""
    options = told.options
    overrides = Overrides(
        base_url=options.base_url,
        rate_per_s=options.rate_limit,
        max_in_flight=options.max_in_flight,
        controller=options.controller,
        target_latency_s=options.target_latency,
        base_latency_s=options.base_latency,
        workers=options.workers,
        jobs=options.jobs,
        job=options.job,
        split=options.split,
        share=options.share,
        variables=dict(options.var),
        only=options.only,
        thresholds=options.threshold,
        max_attempts=options.max_attempts,
        deadline_s=options.deadline,
        trickle=options.trickle,
    )
    plan = load_source(
        told.source,
        options.manifest,
        environ=told.environ,
        overrides=overrides,
        run_id=told.run_id,
        seed=options.seed,
    )
    if options.only_failed is not None:
        plan = _select_failed(plan, options.only_failed)
    if options.trickle is not None:
        plan = settle_trickle(plan)
    return settle_jobs(plan, told.environ)


def _select_failed(plan: Plan, path: str) -> Plan:
    """Reduce a plan to what failed in an earlier run of it, as far as `--only` leaves that in."""
    failed = read_failed(path)
    for index, name in failed.items():
        start, count = plan.starts.get(name), plan.counts.get(name)
        if start is None or index < start or (count is not None and index >= start + count):
            what = f"it has a request {index} of the name {name}, and the manifest has not"
            raise UsageError(f"{path} was not made from this manifest: {what}")
    wanted = frozenset(index for index, name in failed.items() if name in plan.counts)
    counts = Counter(failed[index] for index in wanted)
    notes = plan.notes if wanted else (*plan.notes, f"{path} names no failed request: there is nothing to send again")
    return replace(
        plan,
        counts={name: counts[name] for name in plan.counts if counts[name]},
        requests=lambda: (request for request in plan.requests() if request.index in wanted),
        notes=notes,
    )
