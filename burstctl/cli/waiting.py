"""What a run waits for before its first send: the target, and its turn among parallel jobs. An order ends any wait."""

from collections.abc import Awaitable, Callable

import anyio

from burstctl.cli.division import phase_s
from burstctl.cli.superior import Superior
from burstctl.clock import Clock
from burstctl.control.guard import Stop
from burstctl.plan import Plan
from burstctl.summary import Ending

Before = Callable[[Clock], Awaitable[str | None]]
"""Waits for the target; a text says why it is not worth sending anything."""


async def hold_back(before: Before | None, superior: Superior, clock: Clock) -> Stop | None:
    """Wait for the target if that was asked for; a signal ends the wait."""
    if before is None:
        return None
    reason = None
    with anyio.CancelScope() as scope:
        superior.on_stop = scope.cancel
        reason = await before(clock)
    return Stop(Ending.UNAVAILABLE, reason) if reason else None


async def fall_in(plan: Plan, superior: Superior, clock: Clock) -> None:
    """Wait until this job's sends fall between those of the others; an order to stop ends the wait."""
    with anyio.CancelScope() as scope:
        superior.on_stop = scope.cancel
        if superior.stop is None:
            await anyio.sleep(phase_s(plan.shard, plan.rate_limit.rate_per_s, clock.wall()))
