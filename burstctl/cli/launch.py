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

from burstctl.cli.interrupts import Interrupts
from burstctl.cli.limits import raise_file_limit
from burstctl.clock import Clock, clock_of
from burstctl.control.adaptive import AdaptiveController
from burstctl.control.backlog import Backlog
from burstctl.control.controller import Controller
from burstctl.control.fixed import FixedController
from burstctl.control.guard import Guard, Stop
from burstctl.control.retry import RetryBudget, RetryPolicy
from burstctl.control.unavailable import UnavailableGuard
from burstctl.engine import Parts, Run
from burstctl.errors import UsageError
from burstctl.outcome import Outcome
from burstctl.pace.pacer import Pacer
from burstctl.plan import Plan, RateLimit, Request, Target
from burstctl.record.recorder import Recorder
from burstctl.record.summarize import Course, summarize
from burstctl.send.exchange import HttpSender
from burstctl.send.open import open_transport
from burstctl.summary import Ending, Snapshot, Summary

Watcher = Callable[[Callable[[], Snapshot]], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Launch:
    """What a run needs beside its plan."""

    interrupts: Interrupts
    seed: int
    guards: Sequence[Guard] = ()
    watch: Watcher | None = None
    """Shows the run while it lasts; cancelled at its end."""
    on_outcome: Callable[[Request, Outcome], None] | None = None
    before: Callable[[Clock], Awaitable[str | None]] | None = None
    """Waits for the target; a text says why it is not worth sending anything."""


async def launch(plan: Plan, how: Launch) -> tuple[Summary, Exception | None]:
    """Send a plan; also after a bug, which is returned beside what was measured, there is a summary."""
    raise_file_limit()
    clock = clock_of(asyncio.get_running_loop())
    sender, note = open_sender(plan.target, clock)
    if note is not None:
        plan = replace(plan, notes=(*plan.notes, note))
    started_at_s, cpu_s = clock.wall(), time.process_time()
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(how.interrupts.watch)
            stop = await _hold_back(how, clock)
            # What is loaded by now stays: a collection that walks it in mid-run would be lag.
            gc.collect()
            gc.freeze()
            started_at_s, cpu_s = clock.wall(), time.process_time()
            start_s = clock.now()
            recorder = Recorder(plan.counts, plan.redactor, start_s)
            controller = make_controller(plan.rate_limit, random.Random(how.seed))
            run = _assemble(plan, how, sender, recorder, controller, clock, start_s)
            how.interrupts.on_stop = lambda: _obey(run, how.interrupts)
            if stop is not None:
                run.stop(stop)
            if how.watch is not None:
                group.start_soon(how.watch, run.snapshot)
            await run.execute()
            group.cancel_scope.cancel()
    finally:
        await sender.aclose()
    stopped = run.stopped
    course = Course(
        started_at_s=started_at_s,
        duration_s=clock.now() - start_s,
        cpu_s=time.process_time() - cpu_s,
        rate_per_s=min(controller.rate_per_s(), plan.rate_limit.rate_per_s),
        window=controller.window(),
        ending=stopped.ending if stopped else Ending.COMPLETE,
        reason=stopped.reason if stopped else "",
    )
    return summarize(plan, recorder, course), run.crash


def make_controller(rate_limit: RateLimit, rng: random.Random) -> Controller:
    """Choose the controller that the plan names."""
    if rate_limit.controller == "fixed":
        return FixedController(rate_limit.rate_per_s, rate_limit.max_in_flight)
    return AdaptiveController(rate_limit, rng)


def open_sender(target: Target, clock: Clock) -> tuple[HttpSender, str | None]:
    """Make the sender for a target, with a note on what it can't do; `UsageError` where TLS files are of no use."""
    try:
        transport, note = open_transport(target, clock)
    except (OSError, ssl.SSLError) as error:
        reason = getattr(error, "reason", None) or error.strerror or str(error)
        raise UsageError(
            f"target.tls can't be used: {str(reason).lower().replace('_', ' ')}",
            hint="ca, cert and key must be PEM files, and the key must belong to the certificate",
        ) from error
    return HttpSender(target, transport, clock), note


def _assemble(
    plan: Plan,
    how: Launch,
    sender: HttpSender,
    recorder: Recorder,
    controller: Controller,
    clock: Clock,
    start_s: float,
) -> Run:
    ceiling_per_s, budget = plan.rate_limit.rate_per_s, RetryBudget()
    parts = Parts(
        backlog=Backlog(plan.requests(), ceiling_per_s, budget, start_s),
        pacer=Pacer(ceiling_per_s),
        controller=controller,
        retries=RetryPolicy(plan.retry, random.Random(how.seed + 1)),
        budget=budget,
        sender=sender,
        recorder=recorder,
        clock=clock,
        guards=(UnavailableGuard(), *how.guards),
        deadline_s=plan.deadline_s,
        max_body=plan.target.max_body,
        on_outcome=how.on_outcome,
    )
    return Run(parts, start_s)


async def _hold_back(how: Launch, clock: Clock) -> Stop | None:
    """Wait for the target if that was asked for; a signal ends the wait."""
    if how.before is None:
        return None
    reason = None
    with anyio.CancelScope() as scope:
        how.interrupts.on_stop = scope.cancel
        reason = await how.before(clock)
    if how.interrupts.stop is not None:
        return how.interrupts.stop
    return Stop(Ending.UNAVAILABLE, reason) if reason else None


def _obey(run: Run, interrupts: Interrupts) -> None:
    if interrupts.stop is not None:
        run.stop(interrupts.stop)
