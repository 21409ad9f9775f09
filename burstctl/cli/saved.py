"""Saved results on their way from files to files: read, joined or compared, rendered. Knows no option's syntax."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TextIO

from burstctl.cli.console import Appearance, ColorChoice, inspect
from burstctl.cli.outputs import STDOUT, Outputs, Wanted
from burstctl.cli.step_summary import append_step_summary
from burstctl.errors import BurstctlError, UsageError
from burstctl.exit_code import ExitCode
from burstctl.gate import Result, Verdict, judge
from burstctl.manifest.gates import compose_thresholds
from burstctl.report import registry, terminal
from burstctl.result.allowance import Allowance, parse_allowance
from burstctl.result.compare import DEFAULT_ALLOWANCES, compare
from burstctl.result.merge import merge
from burstctl.result.read import Saved, read_result
from burstctl.summary import Summary

_MOST_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Around:
    """The process around a command."""

    stdin: BinaryIO
    stdout: TextIO
    stderr: TextIO
    environ: Mapping[str, str]


def show_result(*, around: Around, result: str, report: tuple[Wanted, ...], color: str) -> int:
    """Render a result again."""
    with _opened(report or (Wanted("terminal", STDOUT),), around, [result]) as outputs:
        saved = _read(result, around)
        look = inspect(around.stdout, around.environ, ColorChoice(color))
        _write(outputs, lambda name: _render(name, saved.summary, saved.verdict, look if not report else None))
    return ExitCode.PASS


def merge_results(
    *,
    around: Around,
    results: tuple[str, ...],
    report: tuple[Wanted, ...],
    threshold: tuple[str, ...],
    strict: bool,
    color: str,
) -> int:
    """Join results and judge them as one run."""
    for name in results:
        if results.count(name) > 1:
            raise UsageError(f"{name} is given twice", hint="give each job's result once")
    with _opened(report, around, results) as outputs:
        saved = [_read(name, around) for name in results]
        summary = merge(saved)
        own = [judgement.threshold for judgement in saved[0].verdict.judgements]
        thresholds = compose_thresholds(
            own, threshold, list(summary.requests), {name: one.kind for name, one in summary.probes.items()}
        )
        verdict = judge(summary, thresholds, strict=strict)
        failed = outputs.write(lambda name: _render(name, summary, verdict, None))
        if failed:
            verdict = judge(summary, thresholds, unwritten_reports=failed, strict=strict)
            outputs.write_rest(lambda name: _render(name, summary, verdict, None))
        trouble = append_step_summary(summary, verdict, around.environ)
        if trouble is not None:
            print(f"burstctl: {trouble}", file=around.stderr)
        stream = around.stderr if outputs.takes_stdout else around.stdout
        look = inspect(stream, around.environ, ColorChoice(color))
        print(_render("terminal", summary, verdict, look).rstrip("\n"), file=stream, flush=True)
        return verdict.exit_code


def compare_results(
    *,
    around: Around,
    base: str,
    new: str,
    max_regression: tuple[Allowance, ...],
    report: tuple[Wanted, ...],
    strict: bool,
) -> int:
    """Hold one result against another."""
    with _opened(report, around, [base, new]) as outputs:
        allowances = max_regression or tuple(map(parse_allowance, DEFAULT_ALLOWANCES))
        comparison = compare(_read(base, around), _read(new, around), allowances)
        if strict and comparison.result is Result.INCONCLUSIVE:
            comparison = replace(comparison, result=Result.FAIL, exit_code=ExitCode.FAIL)
        _write(outputs, lambda name: registry.load_comparing(name).render(comparison))
        stream = around.stderr if outputs.takes_stdout else around.stdout
        print(registry.load_comparing("terminal").render(comparison).rstrip("\n"), file=stream, flush=True)
        return comparison.exit_code


def _opened(report: Sequence[Wanted], around: Around, inputs: Sequence[str]) -> closing[Outputs]:
    """Open the outputs; none may replace what is read."""
    outputs = Outputs(report, around.stdout)
    try:
        outputs.open()
        outputs.clear([name for name in inputs if name != STDOUT])
    except BurstctlError:
        outputs.close()
        raise
    return closing(outputs)


def _read(name: str, around: Around) -> Saved:
    try:
        if name == STDOUT:
            return read_result(around.stdin.read(_MOST_BYTES + 1), "standard input")
        with Path(name).open("rb") as file:
            text = file.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"can't read {name}: {reason.lower()}") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(f"{name} is larger than {_MOST_BYTES // 2**20} MiB", hint="it can't be a json report")
    return read_result(text, name)


def _write(outputs: Outputs, render: Callable[[str], str]) -> None:
    failed = outputs.write(render)
    if failed:
        outputs.write_rest(render)
        raise UsageError(f"a report could not be written: {', '.join(failed)}")


def _render(name: str, summary: Summary, verdict: Verdict, look: Appearance | None) -> str:
    """Render a format; `look` says how the terminal's is to look."""
    if name == "terminal" and look is not None:
        return terminal.render(summary, verdict, width=look.width, color=look.color)
    return registry.load(name).render(summary, verdict)
