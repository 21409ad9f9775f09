"""Finds the manifests that a pipeline's jobs send with `burstctl run`. Knows the command's shape, no manifest's."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from burstctl.lint.case import Case
from burstctl.lint.project import Refused
from burstctl.lint.value import expand

_COMMANDS = frozenset({"run", "dry-run", "verify"})
_SUFFIXES = (".yaml", ".yml", ".json")
_RATE = ("--rate-limit", "BURSTCTL_RUN_RATE_LIMIT")


def named_manifests(case: Case) -> Iterator[tuple[str, bool]]:
    """Give their paths below the project's root, as far as they exist there, and whether the job says a rate."""
    for job in case.pipeline.jobs:
        for scene in case.scenes(job):
            for command in scene.shell.commands:
                words = [expand(word.text, scene) for word in command.arguments]
                if command.name != "burstctl" or not words or words[0] not in _COMMANDS:
                    continue
                option, variable = _RATE
                given = any(word.startswith(option) for word in words) or variable in job.variables
                yield from ((path, given) for word in words[1:] if (path := _existing(word, case)))


def _existing(word: str, case: Case) -> str | None:
    path = PurePosixPath(word)
    if path.suffix not in _SUFFIXES or word.startswith("-") or "$" in word:
        return None
    try:
        file = case.project.read(path.as_posix())
    except Refused:
        return None
    return None if file is None else file.path
