"""Where results go: report files that appear whole or not at all, and standard output. Knows no format.

Every path is checked and its stale content removed before the first request; nothing is half-written at the end.
What stands at a path is removed only once it is known not to be an input.
"""

import contextlib
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from burstctl.errors import UsageError

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A report that was asked for."""

    format: str
    path: str
    """`-`: standard output."""
    streamed: bool = False
    """Written as the run goes, by who sends: here it only gets its place."""


@dataclass(slots=True)
class Outputs:
    """The report files of one run; `close` removes what was not finished."""

    wanted: Sequence[Wanted]
    stdout: TextIO
    _open: dict[str, Path] = field(default_factory=dict)
    """Temporary files, beside their place, by path."""
    _streams: set[str] = field(default_factory=lambda: {STDOUT})
    """Paths, standard output included, that are written to as they are; a device must never be replaced by a file."""
    _sent: set[str] = field(default_factory=set)
    """Of those, the ones that were written to: what went down a stream can't be taken back."""

    @property
    def takes_stdout(self) -> bool:
        return any(one.path == STDOUT for one in self.wanted)

    def open(self) -> None:
        """Open a file beside each path; `UsageError` where that can't be done."""
        paths = [one.path for one in self.wanted]
        for path in paths:
            if paths.count(path) > 1:
                raise UsageError(f"two reports want {name_of(path)}", hint="give each its own path")
        for one in self.wanted:
            if one.path != STDOUT:
                self._open_file(one.path)

    def clear(self, inputs: Iterable[str]) -> None:
        """Remove stale reports: one of an earlier run must not be taken for this one's, whatever happens from here on.

        `UsageError`, and nothing is removed, where a path is one of the files that the run is made of.
        """
        inputs = list(inputs)
        for path in self._open:
            refuse_input(path, inputs)
        for path in self._open:
            _unlink(path)

    def clear_unless_named_in(self, text: bytes) -> None:
        """Remove stale reports of a run that can't start; `text`, its unreadable manifest, may name its inputs."""
        for path in self._open:
            if Path(path).name.encode() not in text:
                _unlink(path)

    def place_streamed(self) -> None:
        """Put the files that are written as the run goes in their places, empty, for their owner alone."""
        for one in self.wanted:
            if one.streamed and one.path in self._open:
                try:
                    self._open.pop(one.path).replace(one.path)
                except OSError as error:
                    raise UsageError(f"can't write {one.path}: {_reason(error)}", hint="choose another path") from error

    def write(self, render: Callable[[str], str]) -> list[str]:
        """Write every report that ends with the run; return those that could not be written, with the reason.

        No file takes its place before all are on the disk. If any report can't be written the caller judges the run
        again, knowing what is missing, and has the others written once more by `write_rest`. `render` takes a format's
        name.
        """
        files = [one for one in self._at_end if one.path not in self._streams]
        failed = [said for one in files if (said := self._attempt(one, self._stage, render))]
        failed = failed or [said for one in files if (said := self._attempt(one, self._place, render))]
        # Last, and once only.
        return failed or [said for one in self._at_end if (said := self._attempt(one, self._send, render))]

    def write_rest(self, render: Callable[[str], str]) -> None:
        """Write what can be written, now that something else can't."""
        for one in self._at_end:
            if not self._attempt(one, self._stage, render):
                self._attempt(one, self._place, render)
            self._attempt(one, self._send, render)

    def close(self) -> None:
        """Remove what was opened and not finished."""
        for staged in self._open.values():
            with contextlib.suppress(OSError):
                staged.unlink()
        self._open.clear()

    @property
    def _at_end(self) -> list[Wanted]:
        return [one for one in self.wanted if not one.streamed]

    def _open_file(self, path: str) -> None:
        place = Path(path)
        try:
            if place.exists() and not place.is_file():
                if place.is_dir():
                    raise UsageError(f"{path} is a directory", hint="name a file in it")
                self._streams.add(path)  # a device or pipe is written to as it is
                return
            self._open[path] = _stage_beside(place)
        except OSError as error:
            hint = "nothing was sent; choose another path"
            raise UsageError(f"can't write {path}: {_reason(error)}", hint=hint) from error

    def _attempt(
        self, one: Wanted, step: Callable[[Wanted, Callable[[str], str]], None], render: Callable[[str], str]
    ) -> str | None:
        """Take one step towards a report; say what hindered it."""
        try:
            step(one, render)
        except (OSError, ValueError) as error:  # ValueError: the stream is closed
            return f"{name_of(one.path)}: {_reason(error)}"
        return None

    def _stage(self, one: Wanted, render: Callable[[str], str]) -> None:
        """Bring a report's text to the disk, beside its place."""
        if one.path in self._streams:
            return
        staged = self._open.get(one.path) or _stage_beside(Path(one.path))
        self._open[one.path] = staged
        with staged.open("w", encoding="utf-8") as file:
            file.write(render(one.format))
            file.flush()
            os.fsync(file.fileno())

    def _place(self, one: Wanted, _render: Callable[[str], str]) -> None:
        if one.path in self._streams:
            return
        staged = self._open[one.path]
        staged.chmod(_readable_mode())
        staged.replace(one.path)  # takes the place of a symbolic link, never of what it points to
        del self._open[one.path]

    def _send(self, one: Wanted, render: Callable[[str], str]) -> None:
        """Write a report to standard output, a device or a pipe."""
        if one.path not in self._streams - self._sent:
            return
        self._sent.add(one.path)
        if one.path == STDOUT:
            self.stdout.write(render(one.format))
            self.stdout.flush()
        else:
            with Path(one.path).open("w", encoding="utf-8") as stream:
                stream.write(render(one.format))


def refuse_input(path: str, inputs: Iterable[str]) -> None:
    """Raise `UsageError` where an output would replace a file that the run is made of."""
    if any(_same(Path(path), Path(one)) for one in inputs):
        raise UsageError(f"{path} is an input of this run; an output would overwrite it", hint="choose another path")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def _stage_beside(place: Path) -> Path:
    handle, staged = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    os.close(handle)
    return Path(staged)


def _unlink(path: str) -> None:
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"can't replace {path}: {_reason(error)}", hint="choose another path") from error


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def name_of(path: str) -> str:
    """Name an output for people."""
    return "standard output" if path == STDOUT else path


def _readable_mode() -> int:
    """Give the mode of a new file under this process's umask: reports hold no secrets and are read by others."""
    umask = os.umask(0)
    os.umask(umask)
    return (stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH) & ~umask
