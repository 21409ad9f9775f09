"""Shell scripts that start an application server: tells them and reads them. Knows no shell."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "script"

_SERVER = r"(?m)^(?![ \t]*#).*\b(?:gunicorn|uvicorn|hypercorn)[ \t]+\S"


def live(path: str) -> bool:
    """Tell whether a file is a shell script by its name."""
    return path.endswith(".sh")


def claims(text: str) -> bool:
    """Tell whether a script may start an application server."""
    return re.search(_SERVER, text) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a shell script: by its name."""
    return live(path)


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read what a script starts."""
    from burstctl.lint.serving.script import read_script

    fleet, files = read_script(file, project)
    return Pipeline(NAME, file, files=tuple(files), fleet=fleet)
