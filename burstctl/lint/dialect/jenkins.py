"""Jenkins: tells its files from others and scans them. Knows no keyword beyond that."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "jenkins"


def live(path: str) -> bool:
    """Tell whether a file is named as Jenkins's are; which ones it runs is set on its server."""
    name = path.rpartition("/")[2].lower()
    return name == "jenkinsfile" or name.startswith(("jenkinsfile.", "jenkinsfile-")) or name.endswith(".jenkinsfile")


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a pipeline of Jenkins, by its words."""
    name = path.rpartition("/")[2]
    groovy = name.endswith((".groovy", ".jenkins")) or "." not in name
    return groovy and bool(re.search(r"(?m)^\s*(pipeline|node)\b[^\n]*\{", head))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Scan a file for commands."""
    from burstctl.lint.scan.jenkins import read_pipeline

    del project, settings
    return read_pipeline(file)
