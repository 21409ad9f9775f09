"""A run from manifest to exit code: load, open the outputs, send, judge, report. Knows streams, not options' syntax."""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import BinaryIO, TextIO

from burstctl.cli import progress
from burstctl.cli.console import Appearance, ColorChoice, ProgressChoice, choose_progress, inspect
from burstctl.cli.division import settle_workers
from burstctl.cli.interrupts import Interrupts
from burstctl.cli.launch import Launch, launch
from burstctl.cli.loop import run_async
from burstctl.cli.outputs import Outputs, refuse_input
from burstctl.cli.ready import wait_until_ready
from burstctl.cli.resolve import Options, Told, resolve
from burstctl.cli.step_summary import append_step_summary
from burstctl.cli.streams import Streams, descriptor_of
from burstctl.cli.watching import refuse_commands
from burstctl.cli.witness import FAILURES_SHOWN, Witness
from burstctl.clock import Clock
from burstctl.control.abort import AbortGuard
from burstctl.control.unavailable import UnavailableGuard
from burstctl.errors import BurstctlError
from burstctl.gate import Verdict, judge
from burstctl.manifest.load import read_source
from burstctl.pace.share.key import find_pipeline
from burstctl.plan import Plan
from burstctl.record.responses import ResponseLog
from burstctl.report import registry, terminal
from burstctl.summary import Summary


@dataclass(frozen=True, slots=True)
class Environment:
    """The process around a command."""

    stdin: BinaryIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]


def run_burst(options: Options, around: Environment) -> int:
    """Carry a run out; `BurstctlError` where it can't begin."""
    outputs = Outputs(options.report, around.stdout)
    source = b""
    try:
        outputs.open()
        try:
            source = read_source(options.manifest, around.stdin)
            # Never from the seed: a repeated run must not be answered from a server's idempotency cache.
            told = Told(options, source, dict(around.environ), run_id=secrets.token_hex(8))
            plan = settle_workers(resolve(told))
            refuse_commands(plan, allowed=options.allow_commands)
        except BurstctlError:
            named = [options.manifest, options.only_failed or ""]
            outputs.clear_unless_named_in(source + os.fsencode("\n".join(named)))
            raise
        inputs = [*plan.inputs, *([options.only_failed] if options.only_failed else [])]
        outputs.clear(inputs)
        if options.responses:
            refuse_input(options.responses, [*inputs, *(one.path for one in options.report)])
        outputs.place_streamed()
        return _Burst(told, around, outputs, plan).run()
    finally:
        outputs.close()


class _Burst:
    """One run with its outputs open."""

    def __init__(self, told: Told, around: Environment, outputs: Outputs, plan: Plan) -> None:
        self._told = told
        self._options = options = told.options
        self._around = around
        self._outputs = outputs
        self._plan = plan
        self._err: Appearance = inspect(around.stderr, around.environ, ColorChoice(options.color))
        self._out: Appearance = inspect(around.stdout, around.environ, ColorChoice(options.color))
        self._log = ResponseLog(options.responses, plan.redactor) if options.responses else None
        self._streams = Streams(options.report, plan.redactor, descriptor_of(around.stdout))

    def run(self) -> int:
        if self._options.verbose:
            self._print_settings()
        try:
            summary, crash = run_async(self._send)
        finally:
            if self._log is not None:
                self._log.close()
            self._streams.close()
        verdict = self._report(summary)
        if crash is not None:
            self._say(f"burstctl: a bug ended the run: {crash}; please report it")
        return verdict.exit_code

    async def _send(self) -> tuple[Summary, str | None]:
        options, plan = self._options, self._plan
        shown = ProgressChoice.OFF if options.quiet else choose_progress(ProgressChoice(options.progress), self._err)
        if shown is ProgressChoice.LIVE and options.verbose:
            shown = ProgressChoice.LINES  # what fails is printed as it happens

        async def before(clock: Clock) -> str | None:
            assert options.wait_ready is not None
            return await wait_until_ready(*options.wait_ready, plan.target, clock)

        witness = Witness(self._log, self._say, plan.redactor, FAILURES_SHOWN if options.verbose else 0)
        how = Launch(
            superior=Interrupts(self._outputs.close),
            seed=options.seed,
            guards=(UnavailableGuard(), *(() if options.abort is None else (AbortGuard(options.abort),))),
            watch=lambda snapshot, _: progress.show(shown, snapshot, self._around.stderr, color=self._err.color),
            on_outcome=witness.see if self._log is not None or options.verbose else None,
            follow=self._streams.follow if self._streams.any else None,
            keep_bodies=self._log is not None,
            pipeline=find_pipeline(self._around.environ),
            say=self._say,
            before=before if options.wait_ready is not None else None,
        )
        if plan.rate_limit.workers == 1:
            return await launch(plan, how)
        from burstctl.cli.workers.crew import launch_crew

        return await launch_crew(plan, how, self._told, self._log, self._streams, self._say)

    def _report(self, summary: Summary) -> Verdict:
        """Judge the run and write every report; one that can't be written changes the verdict of all the others."""
        thresholds, strict = self._plan.thresholds, self._options.strict
        unwritten = self._streams.unwritten
        if self._log is not None and self._log.error is not None:
            unwritten.append(f"{self._options.responses}: {self._log.error}")
        verdict = judge(summary, thresholds, unwritten_reports=unwritten, strict=strict)
        failed = self._outputs.write(lambda name: registry.load(name).render(summary, verdict))
        if failed:
            verdict = judge(summary, thresholds, unwritten_reports=[*unwritten, *failed], strict=strict)
            self._outputs.write_rest(lambda name: registry.load(name).render(summary, verdict))
        trouble = append_step_summary(summary, verdict, self._around.environ)
        if trouble is not None:
            self._say(f"burstctl: {trouble}")
        self._print_summary(summary, verdict)
        return verdict

    def _print_summary(self, summary: Summary, verdict: Verdict) -> None:
        """Print the summary where nothing else goes."""
        taken = self._outputs.takes_stdout
        stream, look = (self._around.stderr, self._err) if taken else (self._around.stdout, self._out)
        text = terminal.render(summary, verdict, width=look.width, color=look.color)
        shown = text.split("\n", 1)[0] if self._options.quiet else text.rstrip("\n")
        try:
            print(shown, file=stream, flush=True)
        except (OSError, ValueError):  # nobody reads it; the exit code and the reports still tell the verdict
            return

    def _print_settings(self) -> None:
        import yaml

        self._say(yaml.safe_dump(dict(self._plan.settings), sort_keys=False, allow_unicode=True).rstrip())

    def _say(self, text: str) -> None:
        try:
            print(text, file=self._around.stderr, flush=True)
        except OSError:  # nobody reads it any more
            return
