"""Bitbucket Pipelines: tells its files from others and reads them. Knows no keyword beyond that."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "bitbucket"

LIVE = "bitbucket-pipelines.yml"


def live(path: str) -> bool:
    """Tell whether Bitbucket itself would run the file at this path below the root."""
    return path == LIVE


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is one of Bitbucket's, by its name or the word at its top."""
    if not path.endswith((".yml", ".yaml")):
        return False
    named = "bitbucket-pipelines" in path.rpartition("/")[2]
    return named or bool(re.search(r"(?m)^pipelines\s*:", head) and re.search(r"(?m)^\s*-\s*(&\w+\s+)?step\s*:", head))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read the pipelines of a file; `Unreadable` if it is no readable YAML."""
    from burstctl.lint.bitbucket.pipeline import read_pipeline

    return read_pipeline(file, project, settings)
