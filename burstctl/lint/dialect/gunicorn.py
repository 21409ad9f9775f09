"""gunicorn's configuration files: tells them by their names and reads them, without running them."""

from burstctl.lint.file import File
from burstctl.lint.fleet import Fleet
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "gunicorn"

_NAMES = frozenset({"gunicorn.conf.py", "gunicorn_conf.py", "gunicorn-conf.py", "gunicorn_config.py", "gunicorn.py"})


def live(path: str) -> bool:
    """Tell whether a file is named as gunicorn's configuration usually is."""
    return path.rpartition("/")[2] in _NAMES


def claims(text: str) -> bool:
    """Tell whether a file sets anything that lint checks."""
    return any(word in text for word in ("workers", "timeout", "worker_class"))


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is gunicorn's configuration: by its name."""
    name = path.rpartition("/")[2]
    return name.endswith(".py") and "gunicorn" in name


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a configuration; `Unreadable` if it is no Python."""
    from burstctl.lint.serving.configuration import read_configuration

    server = read_configuration(file).as_server()
    return Pipeline(NAME, file, files=(file,), fleet=Fleet(servers=(server,)))
