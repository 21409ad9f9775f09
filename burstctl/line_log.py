"""A file, pipe or terminal that grows by whole lines while a run goes on. Knows nothing of what the lines say.

Several processes may write to one file: what goes out at once is whole lines. A failing disk or a reader that is gone
ends the log, never the run, and a reader that is slow doesn't delay it.
"""

import os
import select
import stat
from pathlib import Path

from burstctl.errors import UsageError

_FLUSH_BYTES = 64 * 1024
_MOST_WAITING = 4 * 2**20
_PATIENCE_MS = 5000
_AT_ONCE = getattr(select, "PIPE_BUF", 512)
"""Bytes that a pipe which is ready takes whole and without blocking."""
_TOO_SLOW = "its reader is too slow"


class LineLog:
    """Appends lines to an open descriptor, which it closes at the end."""

    __slots__ = ("_descriptor", "_lines", "_readiness", "error")

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines = bytearray()
        self._readiness: select.poll | None = None
        self.error: str | None = None
        """Why lines are missing."""
        if not stat.S_ISREG(os.fstat(descriptor).st_mode) and hasattr(select, "poll"):
            self._readiness = select.poll()
            self._readiness.register(descriptor, select.POLLOUT)

    def add(self, line: str) -> None:
        """Append one line, to be written by the next `flush`, or by now if there is much."""
        if self.error is not None:
            return
        # What UTF-8 can't carry (half a surrogate pair in a JSON answer) becomes the JSON escape that it was.
        self._lines += line.encode("utf-8", "backslashreplace") + b"\n"
        if len(self._lines) >= _FLUSH_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write what can be written without waiting: to a file, all."""
        self._write()
        if len(self._lines) > _MOST_WAITING:
            self._fail(_TOO_SLOW)

    def close(self) -> None:
        """Write the rest, waiting for a reader as long as it goes on reading."""
        while self._lines:
            if not self._is_ready(_PATIENCE_MS):
                self._fail(_TOO_SLOW)
            self._write()
        try:
            os.close(self._descriptor)
        except OSError as error:
            self._fail(_reason(error))

    def _write(self) -> None:
        try:
            while self._lines and self._is_ready(0):
                del self._lines[: os.write(self._descriptor, self._next())]
        except BlockingIOError:  # somebody made the descriptor so; the rest goes out later
            return
        except OSError as error:
            self._fail(_reason(error))

    def _is_ready(self, timeout_ms: int) -> bool:
        return self._readiness is None or bool(self._readiness.poll(timeout_ms))

    def _next(self) -> bytes:
        if self._readiness is None:
            return bytes(self._lines)
        return bytes(self._lines[: self._lines.rfind(b"\n", 0, _AT_ONCE) + 1 or _AT_ONCE])

    def _fail(self, reason: str) -> None:
        self.error = self.error or reason
        self._lines.clear()


def open_log(path: str, *, joined: bool = False) -> int:
    """Open a log's file anew, for its owner alone, or one that others write to already; `UsageError` if that fails.

    A device or pipe is taken as it is; a symbolic link is replaced, not followed.
    """
    place = Path(path)
    try:
        if place.exists() and not place.is_file():
            return os.open(place, os.O_WRONLY)
        flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
        if not joined:
            place.unlink(missing_ok=True)
            flags |= os.O_CREAT | os.O_EXCL
        return os.open(place, flags, 0o600)
    except OSError as error:
        raise UsageError(f"can't write {path}: {_reason(error)}") from error


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
