"""Finds the CI files of a project. Knows dialects by their paths only."""

import fnmatch
import os
from collections.abc import Iterator, Sequence

from burstctl.lint.dialect.registry import Dialects
from burstctl.lint.gitignore import Pattern, is_ignored, read_patterns
from burstctl.lint.project import Project

_SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".terraform", "vendor"})


def discover(project: Project, folder: str | os.PathLike[str], exclude: Sequence[str] = ()) -> Iterator[str]:
    """Give the paths, below the root, of the files that a CI system would run and Git keeps, in order."""
    known = Dialects()
    patterns = {"": read_patterns(project.root, "")}
    parts = (project.below_root(os.fspath(folder)) or "").split("/")
    for depth in range(len(parts)):
        _patterns_of("/".join(parts[: depth + 1]), patterns, project)
    for where, folders, files in os.walk(os.fspath(folder)):
        here = project.below_root(where) or ""
        ignored = _patterns_of(here, patterns, project)

        def path_of(name: str, here: str = here) -> str:
            return f"{here}/{name}" if here else name

        folders[:] = sorted(
            name
            for name in folders
            if name not in _SKIPPED
            and not is_ignored(path_of(name), ignored, is_folder=True)
            and not _excluded(path_of(name), exclude)
        )
        for path in map(path_of, sorted(files)):
            unwanted = is_ignored(path, ignored, is_folder=False) or _excluded(path, exclude)
            if not unwanted and known.wants(path, project):
                yield path


def _patterns_of(folder: str, known: dict[str, list[Pattern]], project: Project) -> list[Pattern]:
    """Give the lines that hold in a folder: those of the folders above, then its own."""
    if folder not in known:
        above = folder.rpartition("/")[0]
        known[folder] = [*known.get(above, known[""]), *read_patterns(project.root, folder)]
    return known[folder]


def _excluded(path: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(path, pattern.rstrip("/")) for pattern in patterns)
