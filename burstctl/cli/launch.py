"""Puts a plan's run together and carries it out. The composition root of everything that sends."""

import asyncio
import gc
import random
import ssl
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any

import anyio

from burstctl.cli.crash import place_of
from burstctl.cli.division import take_share
from burstctl.cli.limits import raise_file_limit
from burstctl.cli.sharing import Sharing
from burstctl.cli.streams import OnAttempt
from burstctl.cli.superior import Superior
from burstctl.cli.waiting import Before, fall_in, hold_back
from burstctl.cli.watching import Watching
from burstctl.clock import Clock, clock_of
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.backlog import Backlog
from burstctl.control.controller import Controller
from burstctl.control.fixed import FixedController
from burstctl.control.follow import FollowingController
from burstctl.control.guard import Guard, Stop
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.control.unavailable import UnavailableGuard
from burstctl.engine import Parts, Run
from burstctl.errors import BurstctlError, UsageError
from burstctl.outcome import Outcome
from burstctl.pace.alarm import Alarm, open_alarm
from burstctl.pace.pacer import Pacer
from burstctl.pace.pulse import Pulse
from burstctl.pace.share.split import WHOLE, Share
from burstctl.plan import Plan, RateLimit, Request, Target
from burstctl.record.recorder import Recorder
from burstctl.record.summarize import Course, summarize
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_carrier
from burstctl.summary import Ending, Snapshot, Summary

_COLLECT_AFTER = 20_000
"""Objects more than were freed, until the collector looks for cycles."""

Watcher = Callable[[Callable[[], Snapshot], Recorder], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Launch:
    """What a run needs beside its plan."""

    superior: Superior
    seed: int
    guards: Sequence[Guard] = (UnavailableGuard(),)
    watch: Watcher | None = None
    """Shows the run while it lasts; cancelled at its end."""
    on_outcome: Callable[[Request, Outcome], None] | None = None
    follow: Callable[[float], OnAttempt] | None = None
    """Gives, for the moment of the start, what takes every ended attempt."""
    keep_bodies: bool = False
    """Whether it wants whole bodies."""
    before: Before | None = None
    say: Callable[[str], None] = lambda text: None
    """Tells people what it waits for after the last answer."""
    share: Share = WHOLE
    """Which part of the plan this process sends, of several that send it together."""
    pipeline: str | None = None
    """Names the pipeline whose jobs share the ceiling live, if the plan says so; None: this run shares with nobody."""
    agree_on_start: Callable[[Clock], Awaitable[float]] | None = None
    """Waits, everything being ready here, for the moment at which all of them start."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What sending a plan, or a share of it, left behind."""

    recorder: Recorder
    course: Course
    snapshot: Snapshot
    """How far it came."""
    notes: tuple[str, ...]
    """What can't be done for this target, and how a share went."""
    crash: str | None
    """The kind and place of the bug that ended it."""


async def launch(plan: Plan, how: Launch) -> tuple[Summary, str | None]:
    """Send a plan; also after a bug, whose kind is returned beside it, there is a summary."""
    measured = await measure(plan, how)
    plan = replace(plan, notes=(*plan.notes, *measured.notes))
    return summarize(plan, measured.recorder, measured.course), measured.crash


async def measure(plan: Plan, how: Launch) -> Measured:
    """Send this process's share of a plan."""
    raise_file_limit()
    loop = asyncio.get_running_loop()
    clock = clock_of(loop)
    sender, note = open_sender(plan.target, clock)
    part = take_share(plan, how.share)
    started_at_s, cpu_s = clock.wall(), time.process_time()
    is_shared = plan.rate_limit.share is not None and how.pipeline is not None
    # Of several processes that send together, the one that answers for them watches.
    watching = Watching(plan, clock, how.superior, how.say) if plan.probes and how.share.count == 1 else None
    sharing = Sharing(plan, how.pipeline or "", how.share, clock) if is_shared else None
    try:
        with open_alarm(loop, clock) as alarm:
            async with anyio.create_task_group() as group:
                group.start_soon(how.superior.watch)
                stop = await hold_back(how.before, how.superior, clock)
                if watching is not None:
                    await watching.take_baselines()
                # What is loaded by now stays: a collection that walks it in mid-run would be lag. And what a send makes
                # is gone with its answer, without a collector: looking for cycles every 700 objects finds none.
                gc.collect()
                gc.freeze()
                gc.set_threshold(_COLLECT_AFTER)
                shared = None if sharing is None else await sharing.join(random.Random(how.seed))
                if sharing is not None and shared is not None:
                    group.start_soon(sharing.keeper.run, shared)
                controller = shared or make_controller(part.rate_limit, random.Random(how.seed))
                following = None if watching is None else follow_probe(plan, controller, watching, clock)
                controller = following or controller
                if how.agree_on_start is not None:
                    start_s = await how.agree_on_start(clock)
                else:
                    if sharing is None:
                        await fall_in(plan, how.superior, clock)
                    start_s = clock.now()
                started_at_s, cpu_s = clock.wall(), time.process_time()
                recorder = Recorder(part.counts, part.redactor, start_s, in_parts=how.share.count > 1)
                run = _assemble(part, plan, how, sender, recorder, controller, clock, alarm, start_s, sharing)
                if sharing is not None and plan.rate_limit.on_share_loss == "stop":
                    sharing.on_loss = lambda reason: run.stop(Stop(Ending.ABORTED, f"the share was lost: {reason}"))
                how.superior.on_stop = lambda: _obey(run, how.superior)
                _obey(run, how.superior)
                if stop is not None:
                    run.stop(stop)
                async with anyio.create_task_group() as beside:
                    if how.watch is not None:
                        beside.start_soon(how.watch, run.snapshot, recorder)
                    if watching is not None:
                        beside.start_soon(watching.follow)
                    await run.execute()
                    end_s = clock.now()
                    beside.cancel_scope.cancel()
                if watching is not None:
                    await watching.recover()
                group.cancel_scope.cancel()
    except BaseExceptionGroup as group:  # a task group wraps whatever its body raises
        raise next((one for one in group.exceptions if isinstance(one, BurstctlError)), group) from None
    finally:
        await sender.aclose()
        if watching is not None:
            await watching.aclose()
        if sharing is not None:
            await sharing.keeper.leave()
    # A signal while the fleet recovers cuts what was asked for short, even though every answer is there.
    stopped = run.stopped or (None if watching is None else how.superior.stop)
    course = Course(
        started_at_s=started_at_s,
        duration_s=end_s - start_s,
        cpu_s=time.process_time() - cpu_s,
        # Of all jobs together where they share: it is no quota that keeps this one to its part.
        rate_per_s=min((controller if shared is None else shared.whole).rate_per_s(), part.rate_limit.rate_per_s),
        window=controller.window(),
        ending=stopped.ending if stopped else Ending.COMPLETE,
        reason=stopped.reason if stopped else "",
        start_s=start_s,
        probes={} if watching is None else watching.figures(start_s),
    )
    crash = None if run.crash is None else place_of(run.crash)
    notes = (*([note] if note else ()), *(() if sharing is None else sharing.notes()))
    if following is not None and following.cuts:
        above = f"probe {plan.rate_limit.follow} was above {plan.rate_limit.keep_under:g}"
        notes = (*notes, f"{above} at {following.cuts:,} readings: window and rate were cut")
    return Measured(recorder, course, run.snapshot(), notes, crash)


def make_controller(rate_limit: RateLimit, rng: random.Random) -> Controller:
    """Choose the controller that the plan names."""
    if rate_limit.controller == "fixed":
        return FixedController(rate_limit.rate_per_s, rate_limit.most_in_flight)
    return AdaptiveController(rate_limit, rng)


def follow_probe(plan: Plan, controller: Controller, watching: Watching, clock: Clock) -> FollowingController | None:
    """Have a probe cap a controller, if the plan says so."""
    follow = next((one for one in plan.probes if one.name == plan.rate_limit.follow), None)
    if follow is None:
        return None
    following = FollowingController(controller, plan.rate_limit.keep_under, follow.every_s, clock.now())
    watching.hear(follow.name, following.hear)
    return following


def open_sender(target: Target, clock: Clock) -> tuple[HttpSender, str | None]:
    """Make the sender for a target, with a note on what it can't do; `UsageError` where TLS files are of no use."""
    try:
        carrier, note = open_carrier(target, clock)
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "reason", None) or error.strerror or str(error)
        raise UsageError(
            f"target.tls can't be used: {str(reason).lower().replace('_', ' ')}",
            hint="ca, cert and key must be PEM files, and the key must belong to the certificate",
        ) from error
    return HttpSender(target, carrier, clock), note


def _assemble(
    part: Plan,
    plan: Plan,
    how: Launch,
    sender: HttpSender,
    recorder: Recorder,
    controller: Controller,
    clock: Clock,
    alarm: Alarm,
    start_s: float,
    sharing: Sharing | None,
) -> Run:
    budget, share = RetryBudget(), how.share
    ceiling_per_s = plan.rate_limit.rate_per_s / (1 if sharing is None else sharing.other_jobs + 1)
    # Due when they would be if one process sent all: the plan is every `count`-th of the whole run's requests.
    backlog = Backlog(part.requests(), ceiling_per_s / share.count, budget, start_s + share.index / ceiling_per_s)
    parts = Parts(
        backlog=backlog,
        pacer=Pacer(part.rate_limit.rate_per_s, None if sharing is None else sharing.permits),
        controller=controller,
        retries=RetryPolicy(part.retry, random.Random(how.seed + 1)),
        budget=budget,
        sender=sender,
        recorder=recorder,
        clock=clock,
        alarm=alarm,
        pulse=Pulse(clock),
        guards=how.guards,
        deadline_s=part.deadline_s,
        max_body=part.target.max_body,
        on_outcome=how.on_outcome,
        on_attempt=None if how.follow is None else how.follow(start_s),
        keep_bodies=how.keep_bodies,
    )
    return Run(parts, start_s)


def _obey(run: Run, superior: Superior) -> None:
    if superior.stop is not None:
        run.stop(superior.stop)
