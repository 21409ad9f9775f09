"""systemd: tells units that start an application server, templates of units too, and reads them. Knows no key."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "systemd"

_ENDINGS = ("", ".tpl", ".tftpl", ".tmpl", ".template", ".j2", ".jinja", ".jinja2", ".erb", ".in", ".example")
_SERVER = r"(?m)^[ \t]*ExecStart[ \t]*=.*\b(?:gunicorn|uvicorn|hypercorn)\b"
_GOES_ON = r"\\\r?\n"


def live(path: str) -> bool:
    """Tell whether the file is a service unit, or a template of one, by its name."""
    _, service, ending = path.rpartition("/")[2].partition(".service")
    return bool(service) and ending in _ENDINGS


def claims(text: str) -> bool:
    """Tell whether a unit starts an application server."""
    return re.search(_SERVER, re.sub(_GOES_ON, " ", text)) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a unit."""
    return live(path) or (path.endswith(".conf") and "[Service]" in head)


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a unit and its drop-ins."""
    from burstctl.lint.serving.unit import read_unit

    fleet, files = read_unit(file, project)
    return Pipeline(NAME, file, files=tuple(files), fleet=fleet)
