"""One worker: a fresh interpreter that sends its share of the plan. Started by the crew, which also ends it.

When standard input ends, the parent is gone: the process ends at once, whatever it is doing.
"""

import asyncio
import os
import sys
from collections.abc import Callable

import anyio

from burstctl.cli.launch import Launch, measure
from burstctl.cli.loop import run_async
from burstctl.cli.resolve import resolve
from burstctl.cli.streams import Streams
from burstctl.cli.witness import FAILURES_SHOWN, Witness
from burstctl.cli.workers.message import REPORT_S, Finished, Job, Progress, Ready, Refused, Start
from burstctl.cli.workers.wire import Unpacker, pack
from burstctl.clock import Clock, clock_of
from burstctl.control.guard import Stop
from burstctl.errors import BurstctlError
from burstctl.exit_code import ExitCode
from burstctl.pace.share.key import find_pipeline
from burstctl.plan import Plan
from burstctl.record.merge import Part
from burstctl.record.recorder import Recorder
from burstctl.record.responses import ResponseLog
from burstctl.summary import Snapshot


class Orders:
    """What the parent says; a stop is obeyed as a signal would be."""

    def __init__(self) -> None:
        self.on_stop: Callable[[], None] = lambda: None
        self.stop: Stop | None = None
        self.job: asyncio.Future[Job] = asyncio.get_running_loop().create_future()
        self.start: asyncio.Future[Start] = asyncio.get_running_loop().create_future()

    def take(self, order: object) -> None:
        match order:
            case Job():
                self.job.set_result(order)
            case Start():
                self.start.set_result(order)
            case Stop():
                self.stop = order
                self.on_stop()

    async def watch(self) -> None:
        """Orders come by themselves."""


class Worker:
    """Carries one job out and tells of it."""

    def __init__(self, job: Job, orders: Orders, clock: Clock, tell: Callable[[object], None]) -> None:
        self._job = job
        self._orders = orders
        self._clock = clock
        self._tell = tell
        self._said: list[str] = []

    async def work(self) -> None:
        """Send the share; `BurstctlError` where it can't begin."""
        told, share = self._job.told, self._job.share
        options, plan = told.options, resolve(told)
        log = ResponseLog(options.responses, plan.redactor, joined=True) if options.responses else None
        streams = Streams(options.report, plan.redactor, self._job.stdout)
        shown = share.of(FAILURES_SHOWN) if options.verbose else 0
        witness = Witness(log, self._said.append, plan.redactor, shown)
        how = Launch(
            superior=self._orders,
            # For jitter only: no two workers shall draw the same.
            seed=options.seed + 2 * share.index,
            guards=(),
            watch=self._report,
            on_outcome=witness.see if log is not None or shown else None,
            follow=streams.follow if streams.any else None,
            keep_bodies=log is not None,
            share=share,
            pipeline=find_pipeline(told.environ),
            agree_on_start=lambda clock: self._agree_on_start(plan, clock),
        )
        measured = await measure(plan, how)
        if log is not None:
            log.close()
        streams.close()
        recorder, course = measured.recorder, measured.course
        recorder.timeline.finish(course.rate_per_s, course.window, 0)
        self._tell_progress(measured.snapshot, recorder)
        unwritten = None if log is None else log.error
        self._tell(Finished(recorder, course, measured.notes, measured.crash, unwritten, tuple(streams.unwritten)))

    async def _agree_on_start(self, plan: Plan, clock: Clock) -> float:
        """Wait for the common start, and then for the moment at which the first request of this share is due."""
        self._tell(Ready())
        start_s = (await self._orders.start).start_s
        first_s = start_s + self._job.share.index / plan.rate_limit.rate_per_s
        while (early_s := first_s - clock.now()) > 0:  # noqa: ASYNC110 - a loop's timers may be early
            await anyio.sleep(early_s)
        return start_s

    async def _report(self, snapshot: Callable[[], Snapshot], recorder: Recorder) -> None:
        while True:
            await anyio.sleep(REPORT_S)
            self._tell_progress(snapshot(), recorder)

    def _tell_progress(self, snapshot: Snapshot, recorder: Recorder) -> None:
        part = Part(snapshot, self._clock.now(), recorder.sends.take(), recorder.timeline.take())
        self._tell(Progress(part, tuple(self._said)))
        self._said.clear()


async def _serve() -> None:
    """Carry one job out, tell of it, and wait to be ended: what was told must be read first."""
    loop, orders = asyncio.get_running_loop(), Orders()
    await loop.connect_read_pipe(lambda: Unpacker(orders.take, lambda: os._exit(0)), sys.stdin)
    pipe, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, sys.stdout)

    def tell(message: object) -> None:
        pipe.write(pack(message))  # never waits: what the pipe can't take yet must not delay a send

    try:
        await Worker(await orders.job, orders, clock_of(loop), tell).work()
    except BurstctlError as error:
        tell(Refused(error.message, error.hint, error.exit_code))
    except Exception as error:  # noqa: BLE001 - the parent is the one to report a bug
        tell(Refused(f"a bug in burstctl: {type(error).__name__}", "please report it", ExitCode.INTERNAL))
    await asyncio.Event().wait()


if __name__ == "__main__":
    run_async(_serve)
