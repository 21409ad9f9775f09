"""GitHub's composite actions: tells them from other files and reads them. Knows no workflow."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "github"

_NAMES = ("action.yml", "action.yaml")
_RUNS = r"(?m)^runs[ \t]*:"
_COMPOSITE = r"""(?m)^(?:[ \t]+|runs[ \t]*:.*\b)["']?using["']?[ \t]*:[ \t]*["']?composite\b"""


def live(path: str) -> bool:
    """Tell whether a file is named as actions are."""
    return path.rpartition("/")[2] in _NAMES


def claims(text: str) -> bool:
    """Tell whether an action is made of steps, no program and no image."""
    return re.search(_COMPOSITE, text) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a composite action: by its words."""
    return path.endswith((".yml", ".yaml")) and claims(head) and re.search(_RUNS, head) is not None


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read an action by itself, with the defaults of its inputs; `Unreadable` if its file is no readable YAML."""
    from burstctl.lint.github.workflow import read_workflow

    return read_workflow(file, project, settings)
