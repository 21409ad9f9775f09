"""Buildkite: tells its files from others and reads them. Knows no keyword beyond that."""

import re
from collections.abc import Iterator, Sequence

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings

NAME = "buildkite"

_SUFFIXES = (".yml", ".yaml")
_NAMES = ("buildkite.yml", "buildkite.yaml")
_STEPS = r"(?m)^(steps\s*:|-\s+(label|command|commands|wait|block|group|trigger)\b)"
_OWN = r"(?m)^\s*(-\s+)?(label|commands?|wait|block|plugins|agents|depends_on|parallelism|concurrency_group)\s*:"
_FOREIGN = r"(?m)^(on|pool|stages|trigger|jobs|apiVersion|runs|inputs)\s*:|^\s*-?\s*(task|script|displayName|uses)\s*:"
_UPLOAD = r"buildkite-agent\s+pipeline\s+upload[ \t]+(?P<path>[^\s\"'$|;&-][^\s\"'$|;&]*)"


def live(path: str) -> bool:
    """Tell whether a file is where Buildkite's pipelines are; which ones it runs is set on its server."""
    return path in _NAMES or (path.startswith(".buildkite/") and path.endswith(_SUFFIXES))


def claims(text: str) -> bool:
    """Tell whether a file there is a pipeline."""
    return bool(re.search(_STEPS, text))


def roots(paths: Sequence[str], project: Project) -> Sequence[str]:
    """Leave out the pipelines that a step of another one uploads."""
    mine = [path for path in paths if live(path)]
    uploaded = {name for path in mine for name in _uploaded(path, project) if name != path}
    kept = [path for path in paths if path not in uploaded]
    return kept if len(kept) > len(paths) - len(mine) or not mine else paths


def _uploaded(path: str, project: Project) -> Iterator[str]:
    try:
        file = project.read(path)
    except Refused:  # what it uploads can't be told
        return
    if file is not None:
        yield from (match["path"] for match in re.finditer(_UPLOAD, file.text))


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a pipeline, by its folder or the words it uses."""
    if not path.endswith(_SUFFIXES):
        return False
    *folders, name = path.split("/")
    named = "buildkite" in name or ".buildkite" in folders
    return named or bool(re.search(_STEPS, head) and re.search(_OWN, head) and not re.search(_FOREIGN, head))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a pipeline and those that it uploads; `Unreadable` if it is no readable YAML."""
    from burstctl.lint.buildkite.pipeline import read_pipeline

    return read_pipeline(file, project, settings)
