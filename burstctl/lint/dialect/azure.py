"""Azure Pipelines: tells its files from others and reads them. Knows no keyword beyond that."""

import re
from collections.abc import Iterator, Sequence

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings

NAME = "azure"

_NAMED = r"\.?azure-pipelines?([.-][\w.-]+)?\.ya?ml"
_FOLDERS = (".azure-pipelines", "azure-pipelines")
_TEMPLATE = r"(?m)^[ \t]*(?:-[ \t]+)?template[ \t]*:[ \t]*[\"']?(?P<path>[^\s\"'#]+)"
_WORDS = r"(?m)^(stages|jobs|steps|extends)\s*:"
_OWN = r"(?m)\bvmImage\s*:|^\s*-\s*(task|script|bash|pwsh|powershell|deployment|stage|job|template)\s*:"
_FOREIGN = r"(?m)^(on|orbs|workflows|pipelines|apiVersion|include|runs|inputs)\s*:"


def live(path: str) -> bool:
    """Tell whether a file is named, or stands, as Azure's do; which ones it runs is set on its server."""
    if "azure-pipeline" not in path:  # a look at the pattern costs more
        return False
    folder, _, name = path.rpartition("/")
    in_folder = folder in _FOLDERS and name.endswith((".yml", ".yaml"))
    return in_folder or bool(re.fullmatch(_NAMED, name))


def roots(paths: Sequence[str], project: Project) -> Sequence[str]:
    """Leave out the templates that another of the files uses."""
    mine = [path for path in paths if live(path)]
    used = {name.rpartition("/")[2]: path for path in mine for name in _templates_of(path, project)}
    return [path for path in paths if path not in mine or used.get(path.rpartition("/")[2], path) == path]


def _templates_of(path: str, project: Project) -> Iterator[str]:
    try:
        file = project.read(path)
    except Refused:  # what it names can't be told
        return
    if file is not None:
        yield from (match["path"] for match in re.finditer(_TEMPLATE, file.text))


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a pipeline or a template, by the words it uses."""
    if not path.endswith((".yml", ".yaml")) or re.search(_FOREIGN, head):
        return False
    named = live(path) or any(part.startswith((".azure", "azure-pipelines")) for part in path.split("/"))
    return named or bool(re.search(_WORDS, head) and re.search(_OWN, head))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a pipeline and its templates; `Unreadable` if it is no readable YAML."""
    from burstctl.lint.azure.pipeline import read_pipeline

    return read_pipeline(file, project, settings)
