"""A run's probes over its course: the baseline before it, readings during it, the recovery after it.

In no figure of the load, and no reason for it to wait, but for the two seconds or so of a hanging baseline.
"""

import asyncio
from collections.abc import Callable, Mapping

import anyio

from burstctl.cli.probing import open_means
from burstctl.cli.superior import Superior
from burstctl.clock import Clock
from burstctl.errors import UsageError
from burstctl.plan import Plan
from burstctl.probe import registry
from burstctl.probe.watch import Watch
from burstctl.summary import ProbeFigures


class Watching:
    """The probes of one run; `UsageError` where this machine lacks what one of them needs."""

    def __init__(self, plan: Plan, clock: Clock, superior: Superior, say: Callable[[str], None]) -> None:
        self._superior = superior
        self._say = say
        means, self._fetcher = open_means(plan.target, clock)
        probes = [(settings, registry.load(settings.kind).make(settings, means)) for settings in plan.probes]
        self._watch = Watch(probes, clock)
        self._watch.on_waiting = self._tell

    def hear(self, name: str, listener: Callable[[float], None]) -> None:
        """Have a listener hear each value of one probe."""
        self._watch.on_reading = lambda of, value: listener(value) if of == name else None

    async def take_baselines(self) -> None:
        """Read every probe once; an order to stop ends the wait."""
        with anyio.CancelScope() as scope:
            self._superior.on_stop = scope.cancel
            if self._superior.stop is None:
                await self._watch.take_baselines()

    async def follow(self) -> None:
        """Read on until cancelled."""
        async with asyncio.TaskGroup() as group:
            self._watch.start(group)

    async def recover(self) -> None:
        """Wait until all is as before, as long as the probes' settings allow; an order to stop ends the wait."""
        with anyio.CancelScope() as scope:
            self._superior.on_stop = scope.cancel
            if self._superior.stop is None:
                await self._watch.stop()

    def figures(self, start_s: float) -> Mapping[str, ProbeFigures]:
        """Give what each probe came to; `start_s` is the run's start on its clock."""
        return self._watch.figures(start_s)

    async def aclose(self) -> None:
        with anyio.CancelScope(shield=True):
            await self._watch.aclose()
            await self._fetcher.aclose()

    def _tell(self, name: str, value: float, baseline: float, most_s: float) -> None:
        self._say(
            f"burstctl: probe {name} is at {value:g}, before the run it was at {baseline:g};"
            f" waiting up to {most_s:g} s for its return"
        )


def refuse_commands(plan: Plan, *, allowed: bool) -> None:
    """Refuse a plan whose probes run commands, unless that was allowed."""
    if allowed:
        return
    for settings in plan.probes:
        if settings.listed("command"):
            raise UsageError(
                f"the probe {settings.name} runs the command {settings.listed('command')[0]}",
                hint="--allow-commands lets probes run commands; read them first",
            )
