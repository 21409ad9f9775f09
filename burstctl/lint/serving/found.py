"""Finds the configuration that a server's command line names, or that gunicorn takes unasked. Knows no file format."""

import glob
import posixpath

from burstctl.light import replace
from burstctl.lint.document import Unreadable
from burstctl.lint.file import File
from burstctl.lint.fleet import Place, Server, Setting
from burstctl.lint.project import Project, Refused
from burstctl.lint.serving.command import Start, as_server
from burstctl.lint.serving.configuration import Configuration, read_configuration

_UNASKED = "gunicorn.conf.py"
_MAX_FOLDERS = 3


def complete(
    start: Start, place: Place, environment: dict[str, Setting], project: Project, near: str, doubt: str = ""
) -> tuple[Server, File | None]:
    """Give the server that a command line starts, with what its configuration adds; `near` is the file that says so."""
    server = as_server(start, place, environment, doubt)
    if start.program != "gunicorn":
        named = start.last("config")
        return (replace(server, doubt=doubt or "its configuration file isn't read") if named else server), None
    named = start.last("config")
    if named is not None and named.word is None:
        return _doubt(server, "its configuration file is chosen when it starts"), None
    name = (named.word or "").removeprefix("file:") if named else ""
    if name.startswith("python:"):
        return _doubt(server, f"its configuration is the module {name.removeprefix('python:')}"), None
    path = _find(name or _UNASKED, near, project)
    configuration = _read(path, project)
    if configuration is None:
        return (_doubt(server, f"its configuration {posixpath.basename(name)} isn't here") if name else server), None
    return _merge(server, configuration, exact=name == path), configuration.file


def _doubt(server: Server, reason: str) -> Server:
    return replace(server, doubt=server.doubt or reason)


def _merge(server: Server, configuration: Configuration, *, exact: bool) -> Server:
    """Let the command line and the environment of workers stand, and take the rest from the configuration."""
    other = configuration.as_server()
    matched = "" if exact else ", found by its name"

    def told(setting: Setting | None) -> Setting | None:
        if setting is None:
            return None
        source = setting.source or f"in {configuration.file.path}{matched}"
        return replace(setting, source=source)

    given = server.workers
    from_environment = given is not None and given.source.startswith("from WEB_CONCURRENCY")
    workers = told(other.workers) if given is None or (from_environment and other.workers) else given
    return replace(
        server,
        workers=workers,
        threads=server.threads or told(other.threads),
        timeout=server.timeout or told(other.timeout),
        classes=server.classes or other.classes,
    )


def _find(name: str, near: str, project: Project) -> str | None:
    """Find a file by its path, or beside the file that names it; else by its name, if there is only one."""
    folder, base = posixpath.dirname(near), posixpath.basename(name)
    for path in (posixpath.join(folder, name.lstrip("/")), name.lstrip("/"), posixpath.join(folder, base)):
        if path and _exists(path, project):
            return path
    depths = ("", *("*/" * count for count in range(1, _MAX_FOLDERS + 1)))
    found = [path for depth in depths for path in project.find(depth + glob.escape(base))]
    return found[0] if len(found) == 1 else None


def _exists(path: str, project: Project) -> bool:
    try:
        return project.read(path) is not None
    except Refused:
        return False


def _read(path: str | None, project: Project) -> Configuration | None:
    if path is None:
        return None
    try:
        file = project.read(path)
        return read_configuration(file) if file else None
    except (Refused, Unreadable):
        return None
