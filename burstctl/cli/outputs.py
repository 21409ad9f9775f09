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


@dataclass(slots=True)
class Outputs:
    """The report files of one run; `close` removes what was not finished."""

    wanted: Sequence[Wanted]
    stdout: TextIO
    _open: dict[str, Path] = field(default_factory=dict)
    """Temporary files, beside their place, by path."""

    @property
    def takes_stdout(self) -> bool:
        return any(one.path == STDOUT for one in self.wanted)

    def open(self) -> None:
        """Open a file beside each path; `UsageError` where that can't be done."""
        paths = [one.path for one in self.wanted]
        for path in paths:
            if paths.count(path) > 1:
                raise UsageError(f"two reports want {_name(path)}", hint="give each its own path")
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
            Path(path).unlink(missing_ok=True)

    def clear_unless_named_in(self, text: bytes) -> None:
        """Remove stale reports of a run that can't start; `text`, its unreadable manifest, may name its inputs."""
        for path in self._open:
            if Path(path).name.encode() not in text:
                Path(path).unlink(missing_ok=True)

    def write(self, render: Callable[[str], str]) -> list[str]:
        """Write every report; return those that could not be, with the reason. `render` takes a format's name.

        No file takes its place before all are on the disk, and if any is not then none does: the caller can judge
        the run again, knowing what is missing, and write once more.
        """
        failed = [f"{one.path}: {reason}" for one in self.wanted if (reason := self._stage(one, render(one.format)))]
        if failed:
            return failed
        return [*filter(None, (self._place(path, staged) for path, staged in list(self._open.items())))]

    def write_rest(self, render: Callable[[str], str]) -> None:
        """Write what can be written, now that something else can't."""
        for one in self.wanted:
            if self._stage(one, render(one.format)) is None and one.path in self._open:
                self._place(one.path, self._open[one.path])

    def print_stdout(self, render: Callable[[str], str]) -> None:
        """Print the report that was sent to standard output."""
        for one in self.wanted:
            if one.path == STDOUT:
                self.stdout.write(render(one.format))
                self.stdout.flush()

    def close(self) -> None:
        """Remove what was opened and not finished."""
        for staged in self._open.values():
            with contextlib.suppress(OSError):
                staged.unlink()
        self._open.clear()

    def _open_file(self, path: str) -> None:
        place = Path(path)
        try:
            if place.exists() and not place.is_symlink() and not place.is_file():
                if place.is_dir():
                    raise UsageError(f"{path} is a directory", hint="name a file in it")
                return  # a device or pipe is written to as it is
            handle, staged = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
            os.close(handle)
            self._open[path] = Path(staged)
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"can't write {path}: {reason}", hint="nothing was sent; choose another path") from error

    def _stage(self, one: Wanted, text: str) -> str | None:
        """Bring a report's text to the disk; return the reason why not."""
        if one.path == STDOUT:
            return None
        try:
            if one.path not in self._open:
                Path(one.path).write_text(text, encoding="utf-8")
                return None
            with self._open[one.path].open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            return (error.strerror or str(error)).lower()
        return None

    def _place(self, path: str, staged: Path) -> str | None:
        try:
            staged.chmod(_readable_mode())
            staged.replace(path)  # takes the place of a symbolic link, never of what it points to
        except OSError as error:
            return f"{path}: {(error.strerror or str(error)).lower()}"
        del self._open[path]
        return None


def refuse_input(path: str, inputs: Iterable[str]) -> None:
    """Raise `UsageError` where an output would replace a file that the run is made of."""
    if any(_same(Path(path), Path(one)) for one in inputs):
        raise UsageError(f"{path} is an input of this run; an output would overwrite it", hint="choose another path")


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.absolute() == other.absolute()


def _name(path: str) -> str:
    return "standard output" if path == STDOUT else path


def _readable_mode() -> int:
    """Give the mode of a new file under this process's umask: reports hold no secrets and are read by others."""
    umask = os.umask(0)
    os.umask(umask)
    return (stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH) & ~umask
