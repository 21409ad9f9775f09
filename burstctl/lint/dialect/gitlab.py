"""GitLab CI: tells its files from others and reads them. Knows no keyword beyond that."""

import posixpath
import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "gitlab"

LIVE = ".gitlab-ci.yml"

_JOB_WORDS = r"(?m)^[ \t]+(script|extends|before_script|after_script|trigger)\s*:|!reference\s*\["
_FOREIGN_WORDS = r"(?m)^(jobs|steps|pipelines|apiVersion|pool|on|orbs|phases|language)\s*:"


def live(path: str) -> bool:
    """Tell whether GitLab itself would run the file at this path below the root."""
    return path == LIVE


def detect(path: str, head: str) -> bool:
    """Tell whether a file is a part of a GitLab pipeline: by its name or folder, else by the words it uses."""
    if not path.endswith((".yml", ".yaml")):
        return False
    *folders, name = path.split("/")
    if "gitlab-ci" in name or any(folder in (".gitlab", ".gitlab-ci", "gitlab-ci") for folder in folders):
        return True
    return bool(re.search(_JOB_WORDS, head)) and not re.search(_FOREIGN_WORDS, head)


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a pipeline and all that it includes; `Unreadable` if its root file is no readable YAML."""
    from burstctl.lint.gitlab.pipeline import read_pipeline

    return read_pipeline(file, project, settings, live=posixpath.basename(file.path) == LIVE)
