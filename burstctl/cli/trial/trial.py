"""A dry-run from manifest to exit code: load, send a sample slowly or nothing at all, show. Knows no option syntax."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from burstctl.cli import progress
from burstctl.cli.burst import Environment
from burstctl.cli.console import Appearance, ColorChoice, ProgressChoice, choose_progress, inspect
from burstctl.cli.division import settle_jobs
from burstctl.cli.interrupts import Interrupts
from burstctl.cli.launch import Launch, launch
from burstctl.cli.loop import run_async
from burstctl.cli.trial.curl import write_curl
from burstctl.cli.trial.exchange import Exchange, describe
from burstctl.cli.trial.render import Trial, render
from burstctl.cli.trial.sample import MOST_PER_S, make_trial, take_sample
from burstctl.cli.trial.signals import Signal, list_signals, read_signals
from burstctl.clock import Clock
from burstctl.exit_code import ExitCode
from burstctl.forecast import Seen, forecast
from burstctl.gate import Result, judge
from burstctl.manifest.load import load_source, read_source
from burstctl.manifest.overrides import Overrides
from burstctl.outcome import Outcome
from burstctl.plan import Plan, Request
from burstctl.summary import Summary
from burstctl.units import format_rate


@dataclass(frozen=True, slots=True)
class TrialOptions:
    """What `burstctl dry-run` was told; None where the manifest decides."""

    manifest: str
    base_url: str | None
    sample: int
    offline: bool
    only: tuple[str, ...]
    var: tuple[tuple[str, str], ...]
    rate_limit: float | None
    jobs: int | str | None
    job: int | None
    split: str | None
    color: str
    allow_commands: bool = False


def run_trial(options: TrialOptions, around: Environment) -> int:
    """Carry a dry-run out; `BurstctlError` where it can't begin."""
    run_id = secrets.token_hex(8)
    whole = _load(options, around, run_id)
    own = settle_jobs(whole, around.environ)
    sample = take_sample(whole, options.sample)
    look = inspect(around.stdout, around.environ, ColorChoice(options.color))
    if options.offline:
        trial, code = _foresee(whole, own, sample, run_id)
    else:
        trial, code = _Tried(whole, own, sample, around, allow_commands=options.allow_commands).run()
    _print(trial, around, look)
    return code


def _load(options: TrialOptions, around: Environment, run_id: str) -> Plan:
    return load_source(
        read_source(options.manifest, around.stdin),
        options.manifest,
        environ=dict(around.environ),
        overrides=Overrides(
            base_url=options.base_url,
            rate_per_s=options.rate_limit,
            jobs=options.jobs,
            job=options.job,
            split=options.split,
            variables=dict(options.var),
            only=options.only,
        ),
        run_id=run_id,
        seed=secrets.randbits(32),
    )


def _foresee(whole: Plan, own: Plan, sample: Sequence[Request], run_id: str) -> tuple[Trial, ExitCode]:
    """Show the plan and how to send one request of each entry by hand."""
    names = len(whole.counts)
    lines = [f"{whole.planned:,} requests of {names:,} {'name' if names == 1 else 'names'}; nothing was sent"]
    first = {request.name: request for request in reversed(sample)}
    commands, broken = [], []
    for name in whole.counts:
        request = first.get(name)
        if request is not None and request.broken is not None:
            broken.append(f"{name}: {request.broken.cause}: {whole.redactor.redact(request.broken.example)}")
        elif request is not None:
            commands.append(write_curl(request, whole, run_id))
    word, code = "PLAN", ExitCode.PASS
    if not whole.planned:
        word, code, lines = "NOTHING", ExitCode.NOTHING, ["the plan is empty"]
    elif broken:
        word, code, lines = "FAIL", ExitCode.FAIL, [*broken, *lines]
    seen = Seen(body_bytes=_mean_bytes(sample))
    trial = Trial(
        word=word,
        lines=lines,
        commands=commands,
        whole=whole,
        own=own,
        body_bytes=seen.body_bytes,
        forecast=forecast(whole, own, seen),
        notes=own.notes,
        signals=list_signals(whole),
    )
    return trial, code


class _Tried:
    """A sample that is sent."""

    def __init__(
        self, whole: Plan, own: Plan, sample: Sequence[Request], around: Environment, *, allow_commands: bool
    ) -> None:
        self._whole = whole
        self._own = own
        self._sample = sample
        self._around = around
        self._plan = make_trial(whole, sample)
        self._exchanges: dict[int, Exchange] = {}
        self._allow_commands = allow_commands
        self._signals: list[Signal] = []

    def run(self) -> tuple[Trial, ExitCode]:
        summary, crash = run_async(self._send)
        verdict = judge(summary, self._plan.thresholds)
        exchanges = [exchange for _, exchange in sorted(self._exchanges.items())]
        lacking = [
            f"the required probe {one.name} can't be read: {one.trouble}"
            for one in self._signals
            if one.trouble and one.required
        ]
        result, code = verdict.result, verdict.exit_code
        if lacking and result in (Result.PASS, Result.INCONCLUSIVE):
            result, code = Result.FAIL, ExitCode.FAIL
        lines = [*verdict.reasons, *lacking, _account(summary)]
        if crash is not None:
            lines.append(f"a bug ended the dry-run: {crash}; please report it")
        seen = _look_over(self._sample, exchanges)
        trial = Trial(
            word=result.upper(),
            lines=lines,
            exchanges=exchanges,
            whole=self._whole,
            own=self._own,
            body_bytes=seen.body_bytes,
            forecast=forecast(self._whole, self._own, seen),
            warnings=verdict.warnings,
            notes=list(dict.fromkeys([*self._own.notes, *summary.notes])),
            signals=self._signals or list_signals(self._whole),
        )
        return trial, code

    async def _send(self) -> tuple[Summary, str | None]:
        err = inspect(self._around.stderr, self._around.environ)
        shown = choose_progress(ProgressChoice.AUTO, err)
        interrupts = Interrupts(lambda: None)

        async def read_first(clock: Clock) -> None:
            self._signals = await read_signals(self._whole, clock, interrupts, allow_commands=self._allow_commands)

        how = Launch(
            interrupts,
            seed=0,
            watch=lambda snapshot, _: progress.show(shown, snapshot, self._around.stderr, color=err.color),
            on_outcome=self._note,
            before=read_first if self._whole.probes else None,
        )
        return await launch(self._plan, how)

    def _note(self, request: Request, outcome: Outcome) -> None:
        self._exchanges[request.index] = describe(request, outcome, self._plan)


def _account(summary: Summary) -> str:
    total = summary.total
    unsent = f", {total.unsent:,} not sent" if total.unsent else ""
    counts = f"{total.succeeded:,} of {total.planned:,} sampled requests succeeded{unsent}"
    return f"{counts}; sent once each, at {format_rate(min(MOST_PER_S, summary.rate.ceiling))} at the most"


def _look_over(sample: Sequence[Request], exchanges: Sequence[Exchange]) -> Seen:
    """Gather what the forecast rests on: times of good answers only."""
    latency_s: dict[str, float] = {}
    for exchange in exchanges:
        if exchange.succeeded and exchange.latency_s is not None:
            latency_s[exchange.name] = min(exchange.latency_s, latency_s.get(exchange.name, exchange.latency_s))
    announced = [exchange.announced_per_s for exchange in exchanges if exchange.announced_per_s is not None]
    return Seen(latency_s, _mean_bytes(sample), min(announced, default=None))


def _mean_bytes(sample: Sequence[Request]) -> dict[str, float]:
    sizes: dict[str, list[int]] = {}
    for request in sample:
        sizes.setdefault(request.name, []).append(len(request.body))
    return {name: sum(of_name) / len(of_name) for name, of_name in sizes.items()}


def _print(trial: Trial, around: Environment, look: Appearance) -> None:
    try:
        text = render(trial, width=look.width, color=look.color)
        print(text.rstrip("\n"), file=around.stdout, flush=True)
    except (OSError, ValueError):  # nobody reads it; the exit code still tells the verdict
        return
