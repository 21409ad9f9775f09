"""Dockerfiles: tells those whose image starts an application server, and reads them. Knows no instruction."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "dockerfile"

_NAMES = ("Dockerfile", "Containerfile")
_SERVER = r"(?im)^[ \t]*(?:CMD|ENTRYPOINT)\b.*\b(?:gunicorn|uvicorn|hypercorn)\b"
_GOES_ON = r"\\\r?\n"


def live(path: str) -> bool:
    """Tell whether a file is named as Dockerfiles are."""
    name = path.rpartition("/")[2]
    if name.startswith(_NAMES) and not name.endswith((".dockerignore", ".md")):
        return name in _NAMES or name[name.index("file") + 4] in ".-"
    return name.lower().endswith((".dockerfile", ".containerfile"))


def claims(text: str) -> bool:
    """Tell whether an image starts an application server."""
    return re.search(_SERVER, re.sub(_GOES_ON, " ", text)) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a Dockerfile: by its name."""
    return live(path)


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read what an image starts."""
    from burstctl.lint.serving.image import read_image

    fleet, files = read_image(file, project)
    return Pipeline(NAME, file, files=tuple(files), fleet=fleet)
