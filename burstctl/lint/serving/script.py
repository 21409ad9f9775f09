"""Reads shell scripts as far as they start a server. Knows no server by name."""

from burstctl.lint.file import File
from burstctl.lint.fleet import Fleet, Place, Server
from burstctl.lint.project import Project
from burstctl.lint.serving.command import find_starts
from burstctl.lint.serving.found import complete
from burstctl.lint.serving.words import read_shell


def read_script(file: File, project: Project) -> tuple[Fleet, list[File]]:
    """Give the servers that a script starts, with all files that were read for it."""
    servers: list[Server] = []
    files = [file]
    for start in find_starts(read_shell(file, 0, len(file.text))):
        server, configuration = complete(start, Place.SCRIPT, {}, project, file.path)
        servers.append(server)
        files.extend([configuration] if configuration else [])
    return Fleet(servers=tuple(servers)), files
