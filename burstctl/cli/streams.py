"""The reports that grow as a run goes: each attempt to every format as it ends, its lines to files. Knows no format."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from burstctl.attempt import Attempt
from burstctl.cli.outputs import STDOUT, Wanted, name_of
from burstctl.errors import UsageError
from burstctl.line_log import LineLog, open_log
from burstctl.plan import Request
from burstctl.record.causes import failure_of
from burstctl.report.registry import load_streaming
from burstctl.secret import Redactor

OnAttempt = Callable[[Request, Attempt, float], None]
"""Takes an attempt as it ends, with the moment at which its request was due, in seconds of the run's clock."""


class Streams:
    """The streamed reports of one process; `close` them in any case."""

    def __init__(self, wanted: Sequence[Wanted], redactor: Redactor, stdout: int | None) -> None:
        """Open what already has its place; `stdout`: the descriptor that is standard output for the user."""
        self._redactor = redactor
        streamed = [one for one in wanted if one.streamed]
        opened = {one.path: _open(one.path, stdout) for one in streamed}
        self._logs = [(one, LineLog(opened[one.path])) for one in streamed]
        self.stdout = opened.get(STDOUT)
        """The user's standard output, for workers, where a report goes there."""
        self._unwritten_elsewhere: list[str] = []

    def follow(self, start_s: float) -> OnAttempt:
        """Give what takes the attempts of a run that starts now."""
        writers = [(load_streaming(one.format).Writer(start_s, self._redactor), log) for one, log in self._logs]

        def take(request: Request, attempt: Attempt, due_s: float) -> None:
            failure = None if attempt.succeeded else failure_of(attempt)
            for writer, log in writers:
                log.add(writer.line(request, attempt, failure, due_s))
                log.flush()  # at once: whatever kills this process, what is known of an attempt is kept

        return take

    @property
    def any(self) -> bool:
        return bool(self._logs)

    @property
    def unwritten(self) -> list[str]:
        """Say which of them lack lines, and why."""
        own = [f"{name_of(one.path)}: {log.error}" for one, log in self._logs if log.error is not None]
        return list(dict.fromkeys([*own, *self._unwritten_elsewhere]))

    def take_over(self, unwritten: Iterable[str]) -> None:
        """Answer for what another process could not write."""
        self._unwritten_elsewhere += unwritten

    def close(self) -> None:
        for _, log in self._logs:
            log.close()


def descriptor_of(stream: TextIO) -> int | None:
    """Give a stream's descriptor, if it has one."""
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None


def _open(path: str, stdout: int | None) -> int:
    if path != STDOUT:
        return open_log(path, joined=True)
    try:
        if stdout is not None:
            return os.dup(stdout)
    except OSError:  # it was closed before the run began
        pass
    raise UsageError("can't write standard output", hint="give the report a path")
