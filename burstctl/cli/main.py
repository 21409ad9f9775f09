"""The `burstctl` command: the one place where errors become messages and exit codes. Loads what a command line needs.

`burstctl lint` without options needs no parser of options, and Click takes longer to load than a pipeline to check.
"""

import errno
import io
import os
import signal
import sys
from collections.abc import Mapping, Sequence

from burstctl.errors import BurstctlError
from burstctl.exit_code import ExitCode

_UNWRITABLE = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)

COMMANDS = ("run", "dry-run", "verify", "lint", "report", "explain", "fleet", "demo", "schema", "init", "completion")
"""In the order of `--help`; each is a module of this package with a `command`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code and never raise."""
    _mend_streams()
    _end_in_order()
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        _say("burstctl: interrupted")
        return ExitCode.INTERRUPTED
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else ExitCode.INTERNAL
    except BurstctlError as error:
        _say(f"Error: {error.message}")
        if error.hint:
            _say(f"Hint: {error.hint}")
        return error.exit_code
    except BrokenPipeError:
        _silence_stdout()
        return ExitCode.PASS
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            return _report_bug(error)
        _silence_stdout()
        _say(f"Error: can't write the output: {(error.strerror or 'unknown reason').lower()}")
        return ExitCode.USAGE
    except Exception as error:  # noqa: BLE001 - the edge: a bug gets a message and its own exit code, never a traceback
        return _report_bug(error)


def _run(arguments: Sequence[str]) -> int:
    if _is_plain_lint(arguments, os.environ):
        from burstctl.cli.linting import Options, Streams, run_lint

        code = run_lint(Options(paths=arguments[1:]), Streams(sys.stdin, sys.stdout, sys.stderr))
    else:
        from burstctl.cli.group import invoke

        code = invoke(arguments)
    sys.stdout.flush()
    return code


def _is_plain_lint(arguments: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Tell whether this is `lint` with nothing but paths."""
    optionless = not any(word.startswith("-") or not word for word in arguments)
    return arguments[:1] == ["lint"] and optionless and not any(name.startswith("BURSTCTL_LINT_") for name in environ)


def _mend_streams() -> None:
    """Have characters that the terminal's encoding lacks escaped: a report is worth more than its dashes."""
    for descriptor in (0, 1, 2):  # one that was closed before the start would be given to a socket
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _end_in_order() -> None:
    """Have SIGTERM and SIGHUP unwind like an exception, so that nothing half-written is left; a run does more."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> None:
    _say(f"burstctl: ended by {signal.Signals(number).name}")
    raise SystemExit(ExitCode.TERMINATED)


def _report_bug(error: Exception) -> int:
    from burstctl.cli.crash import place_of

    _say(f"Error: a bug in burstctl: {place_of(error)}")
    _say("Hint: please report it with the command and this line; nothing else is wrong with your input.")
    return ExitCode.INTERNAL


def _say(text: str) -> None:
    try:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - the edge speaks for all
    except OSError:  # stderr is gone as well: the exit code still speaks
        return


def _silence_stdout() -> None:
    """Keep the interpreter from complaining at exit that nobody reads its output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
