"""Finds the CI dialects: each module of this folder but this one is one. Imports a dialect when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module

from burstctl.light import field, state
from burstctl.lint import dialect
from burstctl.lint.dialect.choice import eligible
from burstctl.lint.file import File
from burstctl.lint.modules import modules_in
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Dialect(Protocol):
        """What a dialect's module offers."""

        NAME: str

        def live(self, path: str) -> bool:
            """Tell whether the CI system itself would run the file at this path below the root."""
            ...

        def detect(self, path: str, head: str) -> bool:
            """Tell whether a file that was named by hand is of this dialect, by its path and first 4,096 characters."""
            ...

        def read(self, file: File, project: Project, settings: Settings) -> Pipeline:
            """Read a pipeline; `Unreadable` (of `lint/document.py`) if its root file is no readable text."""
            ...

    class Picky(Protocol):
        """What a dialect offers besides, whose files are known by their words and not by their names alone."""

        def claims(self, text: str) -> bool:
            """Tell whether a live file has anything that lint checks."""
            ...

    class Gathering(Protocol):
        """What a dialect offers besides, of whose files several make one whole."""

        def roots(self, paths: Sequence[str], project: Project) -> Sequence[str]:
            """Leave out the files that are read together with another one of these."""
            ...


HEAD = 4096


@state
class Dialects:
    """The dialects of this folder, each imported when it may be meant."""

    names: list[str] = field(default_factory=lambda: modules_in(dialect))

    def all(self) -> Iterator[Dialect]:
        """Give all dialects, in the order of their names."""
        return map(load, self.names)

    def living_at(self, path: str) -> Iterator[Dialect]:
        """Give the dialects whose system would run a file at this path below the root."""
        return (one for one in map(load, eligible(self.names, path)) if one.live(path))

    def wants(self, path: str, project: Project) -> bool:
        """Tell whether a file below the root is one that a dialect wants to check unasked."""
        one = next(self.living_at(path), None)
        return one is not None and (not hasattr(one, "claims") or _is_claimed(one, path, project))

    def roots(self, paths: Sequence[str], project: Project) -> Sequence[str]:
        """Leave out the files that are read together with another one."""
        meant = {name for path in paths for name in eligible(self.names, path)}
        for one in map(load, sorted(meant)):
            if (gather := getattr(one, "roots", None)) is not None:
                paths = gather(paths, project)
        return paths

    def of(self, file: File) -> Dialect | None:
        """Give the dialect that reads a file, by its path and first lines; None if none knows it."""
        live = next((one for one in self.living_at(file.path) if claims(one, file.text)), None)
        return live or next((one for one in self.all() if one.detect(file.path, file.text[:HEAD])), None)


def load(name: str) -> Dialect:
    """Import a dialect by its module."""
    found: Dialect = import_module(f"{dialect.__name__}.{name}")
    return found


def _is_claimed(one: Dialect, path: str, project: Project) -> bool:
    try:
        file = project.read(path)
    except Refused:  # what it is can't be told
        return False
    return file is not None and claims(one, file.text)


def claims(one: Dialect, text: str) -> bool:
    """Tell whether a file whose name says that it is of a dialect is so by its words, too."""
    picky = getattr(one, "claims", None)
    return picky is None or bool(picky(text))
