"""Tekton: tells its files from others and scans them. Knows no keyword beyond that."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.scan.folder import is_yaml, speaks_of
from burstctl.lint.settings import Settings

NAME = "tekton"

_OWN = r"(?m)^apiVersion\s*:\s*[\"']?tekton\.dev/"


def live(path: str) -> bool:
    """Tell whether a file is in a folder of Tekton's; which ones run is decided in the cluster."""
    return speaks_of(path, NAME)


def claims(text: str) -> bool:
    """Tell whether a file there is one of its kinds."""
    return bool(re.search(_OWN, text))


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is one of its kinds."""
    return is_yaml(path) and claims(head)


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Scan a file for commands; `Unreadable` if it is no readable YAML."""
    from burstctl.lint.scan.container import read_pipeline

    return read_pipeline(NAME, file, project, settings)
