"""A run from manifest to exit code: load, open the outputs, send, judge, report. Knows streams, not options' syntax."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TextIO

from burstctl.cli import progress
from burstctl.cli.console import Appearance, ColorChoice, ProgressChoice, choose_progress, inspect
from burstctl.cli.interrupts import Interrupts
from burstctl.cli.launch import Launch, launch
from burstctl.cli.loop import run_async
from burstctl.cli.outputs import Outputs, Wanted, refuse_input
from burstctl.cli.ready import wait_until_ready
from burstctl.clock import Clock
from burstctl.control.abort import AbortGuard
from burstctl.errors import BurstctlError, UsageError
from burstctl.gate import Verdict, judge
from burstctl.manifest.load import load
from burstctl.manifest.overrides import Overrides
from burstctl.outcome import Outcome
from burstctl.plan import Plan, Request
from burstctl.record.responses import ResponseLog, read_failed
from burstctl.report import registry, terminal
from burstctl.summary import Summary
from burstctl.threshold import Threshold

_FAILURES_SHOWN = 50


@dataclass(frozen=True, slots=True)
class Options:
    """What `burstctl run` was told; None where the manifest decides."""

    manifest: str
    rate_limit: float | None
    max_in_flight: int | None
    controller: str | None
    target_latency: float | None
    base_latency: float | None
    base_url: str | None
    var: tuple[tuple[str, str], ...]
    only: tuple[str, ...]
    only_failed: str | None
    threshold: tuple[str, ...]
    abort: Threshold | None
    max_attempts: int | None
    deadline: float | None
    wait_ready: tuple[str, float] | None
    report: tuple[Wanted, ...]
    responses: str | None
    seed: int
    progress: str
    color: str
    quiet: bool
    verbose: bool


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
    outputs.open()
    try:
        try:
            plan = _load(options, around)
        except BurstctlError:
            outputs.clear_unless_named_in(_manifest_text(options))
            raise
        inputs = [*plan.inputs, *([options.only_failed] if options.only_failed else [])]
        outputs.clear(inputs)
        if options.responses:
            refuse_input(options.responses, inputs)
        return _Burst(options, around, outputs, plan).run()
    finally:
        outputs.close()


def _manifest_text(options: Options) -> bytes:
    """Read what may name inputs, as far as it can be read: the manifest and the paths beside it."""
    named = f"{options.manifest}\n{options.only_failed or ''}\n".encode()
    try:
        return named + Path(options.manifest).read_bytes()
    except OSError:
        return named


def _load(options: Options, around: Environment) -> Plan:
    overrides = Overrides(
        base_url=options.base_url,
        rate_per_s=options.rate_limit,
        max_in_flight=options.max_in_flight,
        controller=options.controller,
        target_latency_s=options.target_latency,
        base_latency_s=options.base_latency,
        variables=dict(options.var),
        only=options.only,
        thresholds=options.threshold,
        max_attempts=options.max_attempts,
        deadline_s=options.deadline,
    )
    plan = load(
        options.manifest,
        stdin=around.stdin,
        environ=around.environ,
        overrides=overrides,
        # Never from the seed: a repeated run must not be answered from a server's idempotency cache.
        run_id=secrets.token_hex(8),
        seed=options.seed,
    )
    return plan if options.only_failed is None else _select_failed(plan, options.only_failed)


def _select_failed(plan: Plan, path: str) -> Plan:
    """Reduce a plan to what failed in an earlier run of it."""
    failed = read_failed(path)
    names = list(plan.counts)
    foreign = sorted(set(failed.values()) - set(names))
    if foreign or any(index >= plan.planned for index in failed):
        what = f"it names {foreign[0]}, which is not among the requests" if foreign else "it has more requests"
        raise UsageError(f"{path} was not made from this manifest: {what}")
    counts = {name: sum(one == name for one in failed.values()) for name in names}
    return replace(
        plan,
        counts={name: count for name, count in counts.items() if count},
        requests=lambda: (request for request in plan.requests() if request.index in failed),
    )


class _Burst:
    """One run with its outputs open."""

    def __init__(self, options: Options, around: Environment, outputs: Outputs, plan: Plan) -> None:
        self._options = options
        self._around = around
        self._outputs = outputs
        self._plan = plan
        self._err: Appearance = inspect(around.stderr, around.environ, ColorChoice(options.color))
        self._out: Appearance = inspect(around.stdout, around.environ, ColorChoice(options.color))
        self._failures_shown = 0
        self._log = ResponseLog(options.responses, plan.redactor) if options.responses else None

    def run(self) -> int:
        if self._options.verbose:
            self._print_settings()
        summary, crash = run_async(self._send)
        if self._log is not None:
            self._log.close()
        verdict = self._report(summary)
        if crash is not None:
            self._say(f"burstctl: a bug ended the run: {type(crash).__name__}; please report it")
        return verdict.exit_code

    async def _send(self) -> tuple[Summary, Exception | None]:
        options, plan = self._options, self._plan
        shown = ProgressChoice.OFF if options.quiet else choose_progress(ProgressChoice(options.progress), self._err)
        if shown is ProgressChoice.LIVE and options.verbose:
            shown = ProgressChoice.LINES  # what fails is printed as it happens

        async def before(clock: Clock) -> str | None:
            assert options.wait_ready is not None
            return await wait_until_ready(*options.wait_ready, plan.target.tls, clock)

        how = Launch(
            interrupts=Interrupts(self._outputs.close),
            seed=options.seed,
            guards=() if options.abort is None else (AbortGuard(options.abort),),
            watch=lambda snapshot: progress.show(shown, snapshot, self._around.stderr, color=self._err.color),
            on_outcome=self._on_outcome if self._log is not None or options.verbose else None,
            before=before if options.wait_ready is not None else None,
        )
        return await launch(plan, how)

    def _on_outcome(self, request: Request, outcome: Outcome) -> None:
        if self._log is not None:
            self._log.add(request, outcome)
        if self._options.verbose and outcome.failure is not None and self._failures_shown < _FAILURES_SHOWN:
            self._failures_shown += 1
            cause = self._plan.redactor.redact(outcome.failure.cause)
            self._say(f"failed: {request.name} #{request.index} after {outcome.attempts} attempts: {cause}")

    def _report(self, summary: Summary) -> Verdict:
        """Judge the run and write every report; one that can't be written changes the verdict of all the others."""
        thresholds = self._plan.thresholds
        unwritten = []
        if self._log is not None and self._log.error is not None:
            unwritten.append(f"{self._options.responses}: {self._log.error}")
        verdict = judge(summary, thresholds, unwritten_reports=unwritten)
        failed = self._outputs.write(lambda name: registry.load(name).render(summary, verdict))
        if failed:
            verdict = judge(summary, thresholds, unwritten_reports=[*unwritten, *failed])
            self._outputs.write_rest(lambda name: registry.load(name).render(summary, verdict))
        self._outputs.print_stdout(lambda name: registry.load(name).render(summary, verdict))
        self._print_summary(summary, verdict)
        return verdict

    def _print_summary(self, summary: Summary, verdict: Verdict) -> None:
        """Print the summary where nothing else goes."""
        taken = self._outputs.takes_stdout
        stream, look = (self._around.stderr, self._err) if taken else (self._around.stdout, self._out)
        text = terminal.render(summary, verdict, width=look.width, color=look.color)
        print(text.split("\n", 1)[0] if self._options.quiet else text.rstrip("\n"), file=stream, flush=True)

    def _print_settings(self) -> None:
        import yaml

        self._say(yaml.safe_dump(dict(self._plan.settings), sort_keys=False, allow_unicode=True).rstrip())

    def _say(self, text: str) -> None:
        try:
            print(text, file=self._around.stderr, flush=True)
        except OSError:  # nobody reads it any more
            return
