"""CircleCI: tells its files from others and reads them. Knows no keyword beyond that."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "circleci"

LIVE = ".circleci/config.yml"


def live(path: str) -> bool:
    """Tell whether CircleCI itself would run the file at this path below the root."""
    return path == LIVE


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a configuration: by its folder, else by the words at its top."""
    if not path.endswith((".yml", ".yaml")):
        return False
    *folders, name = path.split("/")
    named = ".circleci" in folders or "circleci" in name.lower()
    version = re.search(r"(?m)^version\s*:\s*[\"']?2(\.[01])?[\"']?\s*(#.*)?$", head)
    words = re.search(r"(?m)^(workflows|orbs|executors|commands)\s*:", head)
    return named or bool(version and (words or re.search(r"(?m)^jobs\s*:", head)))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a configuration; `Unreadable` if it is no readable YAML."""
    from burstctl.lint.circleci.pipeline import read_pipeline

    return read_pipeline(file, project, settings)
