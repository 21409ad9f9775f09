"""A run by several workers, seen from the process that answers for it: it starts them, watches over them, adds up.

Workers send; signals, guards and display are here. Once one worker is lost, none of them goes on.
"""

import asyncio
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import anyio

from burstctl.attempt import Failure
from burstctl.cli.division import take_share
from burstctl.cli.launch import Launch
from burstctl.cli.resolve import Told
from burstctl.cli.streams import Streams
from burstctl.cli.waiting import fall_in, hold_back
from burstctl.cli.watching import Watching
from burstctl.cli.workers.message import REPORT_S, Finished, Job, Progress, Ready, Refused, Start
from burstctl.cli.workers.process import Process
from burstctl.clock import Clock, clock_of
from burstctl.control.guard import Stop
from burstctl.errors import BurstctlError
from burstctl.pace.share.split import Share
from burstctl.plan import Plan
from burstctl.record.merge import Merge
from burstctl.record.responses import ResponseLog
from burstctl.record.summarize import Course, summarize
from burstctl.summary import Ending, Summary

_LEAD_S = 0.05
"""From the order to start to the start: long enough for every worker to have read it."""
_DRAIN_S = 1.0
"""How long the others wait for answers in flight when one worker is lost."""
_PATIENCE_S = 2.0
"""How much longer than it was allowed to a worker may take to end."""


async def launch_crew(
    plan: Plan, how: Launch, told: Told, log: ResponseLog | None, streams: Streams, say: Callable[[str], None]
) -> tuple[Summary, str | None]:
    """Send a plan by `plan.rate_limit.workers` processes, with the ends and figures of `launch`."""
    crew = Crew(plan, how, clock_of(asyncio.get_running_loop()), say)
    course = await crew.run(told, streams.stdout)
    ends = crew.finished.values()
    if log is not None:
        log.error = next((one.unwritten for one in ends if one.unwritten is not None), None)
    for one in ends:
        streams.take_over(one.unstreamed)
    notes = dict.fromkeys((*plan.notes, *(note for one in ends for note in one.notes)))
    crash = next((one.crash for one in ends if one.crash is not None), None)
    return summarize(replace(plan, notes=tuple(notes)), crew.merge.recorder, course), crash


class Crew:
    """The workers of one run."""

    def __init__(self, plan: Plan, how: Launch, clock: Clock, say: Callable[[str], None]) -> None:
        self._plan = plan
        self._how = how
        self._clock = clock
        self._say = say
        count = plan.rate_limit.workers
        self._shares = [Share(index, count) for index in range(count)]
        self.merge = Merge([take_share(plan, share).counts for share in self._shares], plan.redactor)
        self.finished: dict[int, Finished] = {}
        self._processes: list[Process] = []
        self._loading = set(range(count))
        self._working = set(range(count))
        self._changed = asyncio.Event()
        self._stop: Stop | None = None
        self._refused: Refused | None = None

    async def run(self, told: Told, stdout: int | None) -> Course:
        """Have everything sent; no worker is left afterwards. `BurstctlError` where they can't begin."""
        how, clock = self._how, self._clock
        watching = Watching(self._plan, clock, how.superior, self._say) if self._plan.probes else None
        try:
            await self._start(told, stdout)
            async with anyio.create_task_group() as group:
                group.start_soon(how.superior.watch)
                stop = await hold_back(how.before, how.superior, clock)
                how.superior.on_stop = self._obey
                self._obey()
                if stop is not None:
                    self._halt(stop)
                await self._until(lambda: not self._loading or self._held)
                if watching is not None and not self._held:
                    await watching.take_baselines()
                    how.superior.on_stop = self._obey
                    self._obey()
                if not self._held:
                    if self._plan.rate_limit.share is None:
                        await fall_in(self._plan, how.superior, clock)
                    how.superior.on_stop = self._obey
                    self._obey()
                started_at_s, cpu_s = clock.wall(), time.process_time()
                start_s = clock.now()
                if not self._held:
                    start_s += _LEAD_S
                    for process in self._processes:
                        process.send(Start(start_s))
                    group.start_soon(self._guard)
                    async with anyio.create_task_group() as beside:
                        if how.watch is not None:
                            beside.start_soon(how.watch, self.merge.snapshot, self.merge.recorder)
                        if watching is not None:
                            beside.start_soon(watching.follow)
                        await self._until(lambda: not self._working)
                        beside.cancel_scope.cancel()
                end_s = clock.now()
                if watching is not None and self._refused is None:
                    await watching.recover()
                    self._stop = self._stop or how.superior.stop
                group.cancel_scope.cancel()
        finally:
            unstarted = tuple(self._working)
            self._working.clear()
            for process in self._processes:
                process.end()
            if watching is not None:
                await watching.aclose()
        if self._refused is not None:
            error = BurstctlError(self._refused.message, hint=self._refused.hint)
            error.exit_code = self._refused.exit_code
            raise error
        for index in unstarted:
            self.merge.lose(index, Failure("cancelled"))
        course = self._course(started_at_s, start_s, max(0.0, end_s - start_s), time.process_time() - cpu_s)
        return course if watching is None else replace(course, probes=watching.figures(start_s))

    @property
    def _held(self) -> bool:
        """Tell whether nothing must be begun any more."""
        return self._stop is not None or self._refused is not None

    async def _start(self, told: Told, stdout: int | None) -> None:
        for _ in self._shares:
            self._processes.append(Process(() if stdout is None else (stdout,)))
        for index, process in enumerate(self._processes):
            await process.connect(partial(self._take, index), partial(self._lost, index))
            process.send(Job(told, self._shares[index], stdout))

    def _take(self, index: int, message: object) -> None:
        """Hear what a worker tells."""
        match message:
            case Ready():
                self._loading.discard(index)
            case Progress():
                self.merge.add(index, message.part)
                for line in message.said:
                    self._say(line)
            case Finished():
                self._working.discard(index)
                self.finished[index] = message
                self.merge.end(index, message.recorder)
                if message.course.ending is Ending.INTERNAL:
                    self._halt(Stop(Ending.INTERNAL, message.course.reason, _DRAIN_S))
            case Refused() if index in self._loading:
                self._refused = message
            case Refused():
                self._give_up(index, message.message)
        self._changed.set()

    def _lost(self, index: int) -> None:
        """Account for a worker that ended too early."""
        if index in self._working:
            code = self._processes[index].end()
            how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
            self._give_up(index, f"worker {index + 1} of {len(self._shares)} {how}")

    def _give_up(self, index: int, reason: str) -> None:
        self._working.discard(index)
        self.merge.lose(index, Failure("cancelled: its worker was lost", reason))
        self._halt(Stop(Ending.INTERNAL, reason, _DRAIN_S))
        self._changed.set()

    async def _guard(self) -> None:
        """Have the guards look at all workers together, until cancelled."""
        while True:
            await anyio.sleep(REPORT_S)
            so_far = self.merge.snapshot()
            for guard in self._how.guards:
                stop = guard.check(so_far)
                if stop is not None:
                    self._halt(stop)

    def _obey(self) -> None:
        if self._how.superior.stop is not None:
            self._halt(self._how.superior.stop)

    def _halt(self, stop: Stop) -> None:
        """Have nothing more sent; the first order holds."""
        if self._stop is None:
            self._stop = stop
            for index in self._working:
                self._processes[index].send(stop)
            self._clock.call_at(self._clock.now() + stop.drain_s + _PATIENCE_S, self._end_the_rest)
            self._changed.set()

    def _end_the_rest(self) -> None:
        for index in tuple(self._working):
            self._lost(index)

    async def _until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            self._changed.clear()
            await self._changed.wait()

    def _course(self, started_at_s: float, start_s: float, duration_s: float, cpu_s: float) -> Course:
        courses = [one.course for one in self.finished.values()]
        early = next((course for course in courses if course.ending is not Ending.COMPLETE), None)
        ended = self._stop or (Stop(early.ending, early.reason) if early is not None else None)
        whole = len(courses) == len(self._shares)
        return Course(
            started_at_s=started_at_s,
            duration_s=max(course.duration_s for course in courses) if whole else duration_s,
            cpu_s=cpu_s + sum(course.cpu_s for course in courses),
            rate_per_s=min(self._plan.rate_limit.rate_per_s, sum(course.rate_per_s for course in courses)),
            window=sum(course.window or 0.0 for course in courses) if courses else None,
            ending=ended.ending if ended else Ending.COMPLETE,
            reason=ended.reason if ended else "",
            processes=len(self._shares),
            start_s=start_s,
        )
