"""One lint run: settings, files, findings, what is written where, the exit code. Knows no option's spelling."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from burstctl.errors import UsageError
from burstctl.exit_code import ExitCode
from burstctl.light import light, replace
from burstctl.lint.check import check, read_pipeline
from burstctl.lint.discover import discover
from burstctl.lint.project import Project
from burstctl.lint.result import Result
from burstctl.lint.settings import FILES, Settings
from burstctl.lint.shown import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

STDIN = "-"
STDOUT = "-"
_LARGEST_STDIN = 2 * 1024 * 1024


@light
class Options:
    """What the command line says."""

    paths: Sequence[str] = ()
    output: Sequence[tuple[str, str]] = ()
    """Formats and their paths."""
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    budget: float | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    baseline: str | None = None
    write_baseline: bool = False
    stdin_filename: str | None = None
    expand: bool = False
    exit_zero: bool = False
    rounds: int = 10
    """One repair may uncover another: so many times, no more."""

    @property
    def repairs(self) -> bool:
        return (self.fix or self.unsafe_fixes) and not self.diff and self.rounds > 0


@light
class Streams:
    """Those of the process."""

    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


def run_lint(options: Options, streams: Streams) -> int:
    """Check, repair, show; give the exit code."""
    _refuse_contradictions(options)
    project = _project(options, streams.stdin)
    settings = _settings(_found_settings(project), options)
    paths = _paths(options, project, settings)
    if options.expand:
        return _expand(paths, project, settings, streams)
    outputs = options.output or ([] if options.diff else [("text", STDOUT)])
    result = _write(outputs, lambda: _check(paths, project, settings, options, streams), streams.stdout)
    if not paths:
        return _nothing(project, streams.stderr)
    return ExitCode.FAIL if result.fails and not options.exit_zero else ExitCode.PASS


def _refuse_contradictions(options: Options) -> None:
    if STDIN in options.paths:
        if len(options.paths) > 1:
            raise UsageError("standard input (-) is checked alone", hint="give other paths to a run of their own")
        if not options.stdin_filename:
            hint = "its name tells which CI system reads it: --stdin-filename .gitlab-ci.yml"
            raise UsageError("standard input (-) needs --stdin-filename", hint=hint)
        if options.repairs:
            raise UsageError("standard input can't be repaired", hint="--diff shows what would change")
    elif options.stdin_filename:
        raise UsageError("--stdin-filename goes with the path -", hint="burstctl lint --stdin-filename NAME -")
    if options.write_baseline and not options.baseline:
        raise UsageError("--write-baseline needs --baseline FILE")
    taker = "--expand" if options.expand else "--diff" if options.diff else None
    for name, path in options.output:
        if taker and path == STDOUT:
            raise UsageError(f"{taker} and {name} both want standard output", hint=f"give {name} a path")
    if options.expand and (options.output or options.repairs or options.diff or options.baseline):
        raise UsageError("--expand checks nothing", hint="give the other options to a run of their own")


def _project(options: Options, stdin: TextIO) -> Project:
    """Find the project, and read the text that stands for one of its files."""
    if options.stdin_filename:
        project = Project.around("")
        data = stdin.buffer.read(_LARGEST_STDIN + 1)
        if len(data) > _LARGEST_STDIN:
            raise UsageError(f"standard input has more than {_LARGEST_STDIN:,} bytes")
        try:
            project.overlay[project.name(options.stdin_filename)] = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError("standard input is not UTF-8 text") from None
        return project
    for path in options.paths:
        _refuse_unreadable(path)
    return Project.around(options.paths[0] if options.paths else "")


def _refuse_unreadable(path: str) -> None:
    try:
        if os.path.isdir(path):
            os.listdir(path)
        else:
            with open(path, "rb"):
                pass
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "not a path").lower()
        raise UsageError(f"can't read {path}: {reason}") from None


def _found_settings(project: Project) -> Settings:
    """Read the project's settings; what reads them is loaded only where there are any."""
    if not any(os.path.exists(os.path.join(project.root, name)) for name in FILES):
        return Settings()
    from burstctl.lint.configuration import find_settings

    return find_settings(project.root)


def _settings(found: Settings, options: Options) -> Settings:
    """Lay the options over the settings of the project."""
    changes: dict[str, object] = {}
    if options.budget is not None:
        changes["budget_per_s"] = options.budget
    if options.select is not None:
        changes["select"] = options.select
    if options.ignore is not None:
        changes["ignore"] = (*found.ignore, *options.ignore)
    return replace(found, **changes) if changes else found


def _paths(options: Options, project: Project, settings: Settings) -> list[str]:
    """Give the files to check: those named, and the live ones in folders that are named."""
    if options.stdin_filename:
        return [project.name(options.stdin_filename)]
    found: dict[str, None] = {}
    for path in options.paths or [os.fspath(project.root)]:
        folder = os.path.realpath(path)
        names = discover(project, folder, settings.exclude) if os.path.isdir(path) else [project.name(path)]
        found.update(dict.fromkeys(names))
    return list(found)


def _check(paths: Sequence[str], project: Project, settings: Settings, options: Options, streams: Streams) -> Result:
    """Check, and repair until there is nothing more to repair; what the baseline lists is left aside."""
    result = check(paths, project, settings)
    if options.baseline:
        result = _lay_baseline(result, options, streams)
    if options.diff:
        from burstctl.lint.fix import diff, repair

        streams.stdout.write(diff(repair(result, unsafe=options.unsafe_fixes), result))
    elif options.repairs:
        result = _repair(result, paths, project, settings, options, streams)
    return result


def _lay_baseline(result: Result, options: Options, streams: Streams) -> Result:
    from burstctl.lint.baseline import Baseline, render_baseline

    place = options.baseline or ""
    if options.write_baseline:
        from burstctl.cli.outputs import Outputs, Wanted

        files = Outputs([Wanted("baseline", place)], streams.stdout)
        try:
            files.open()
            failed = files.write(lambda _: render_baseline(result))
        finally:
            files.close()
        if failed:
            raise UsageError(f"can't write {'; '.join(failed)}", hint="choose another path")
    baseline = Baseline.read(place)
    if options.write_baseline:
        streams.stderr.write(f"burstctl: {place} lists {len(baseline.accepted)} findings now\n")
    if gone := baseline.gone(result):
        streams.stderr.write(f"burstctl: {gone} of the baseline's findings are gone: write it again\n")
    return baseline.lay_over(result)


def _repair(
    result: Result, paths: Sequence[str], project: Project, settings: Settings, options: Options, streams: Streams
) -> Result:
    """Write what can be repaired, and check again; a repair that leaves a file unreadable is not written."""
    from burstctl.lint.fix import repair, write

    repairs = repair(result, unsafe=options.unsafe_fixes)
    if not repairs:
        return result
    changed = Project(project.root, {one.file.path: one.text for one in repairs})
    again = check(paths, changed, settings)
    if _unreadable(again) > _unreadable(result):
        streams.stderr.write("burstctl: nothing was changed: the repaired files could not be read any more\n")
        return result
    write(repairs, project.root)
    for one in repairs:
        streams.stderr.write(f"burstctl: changed {visible(one.file.path)}: {', '.join(one.titles)}\n")
    once_more = replace(options, write_baseline=False, rounds=options.rounds - 1)
    return _check(paths, Project(project.root), settings, once_more, streams)


def _unreadable(result: Result) -> int:
    return sum(finding.code == "BL001" for finding in result.findings)


def _expand(paths: Sequence[str], project: Project, settings: Settings, streams: Streams) -> int:
    """Print jobs instead of checking them; what can't be read is said first."""
    from burstctl.lint.expand import expand

    pipelines = [read_pipeline(path, project, settings) for path in paths]
    unreadable = [hit for pipeline in pipelines for hit in pipeline.noted("BL001")]
    for hit in unreadable:
        place = hit.span.begins
        streams.stderr.write(f"{visible(hit.span.file.path)}:{place.line}:{place.column}: {visible(hit.message)}\n")
    streams.stdout.write(expand(pipelines))
    if not paths:
        return _nothing(project, streams.stderr)
    return ExitCode.FAIL if unreadable else ExitCode.PASS


def _nothing(project: Project, stderr: TextIO) -> int:
    from burstctl.lint.looked_for import LOOKED_FOR

    stderr.write(f"burstctl: no CI file found below {project.root}\n")
    names = ", ".join(LOOKED_FOR.values())
    stderr.write(f"Hint: lint looks for {names} and the fleet's own files; any other file can be named\n")
    return ExitCode.NOTHING


def _write(outputs: Sequence[tuple[str, str]], make: Callable[[], Result], stdout: TextIO) -> Result:
    """Write what `make` finds in each format; no file is half-written, and none that was read is written over."""
    from burstctl.lint.render.registry import load

    if [path for _, path in outputs] in ([], [STDOUT]):
        result = make()
        for name, _ in outputs:
            stdout.write(load(name).render(result))
        return result
    from burstctl.cli.outputs import Outputs, Wanted

    files = Outputs([Wanted(name, path) for name, path in outputs], stdout)
    try:
        files.open()
        result = make()
        files.clear(os.path.join(result.root, path) for path in result.checked)
        failed = files.write(lambda name: load(name).render(result))
    finally:
        files.close()
    if failed:
        raise UsageError(f"can't write {'; '.join(failed)}", hint="choose another path")
    return result
