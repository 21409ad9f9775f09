"""Terraform: tells the files of a fleet's root module and reads them all. Knows no resource's meaning."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings

NAME = "terraform"

_WORDS = r'"aws_(?:autoscaling_|lb_target_group"|alb_target_group"|appautoscaling_)|\bsource\s*=\s*"\.\.?/'

_SOURCE = r'\bsource\s*=\s*"(\.\.?/[^"]*)"'


def live(path: str) -> bool:
    """Tell whether Terraform itself would read the file."""
    return path.endswith(".tf")


def claims(text: str) -> bool:
    """Tell whether a file declares a part of a fleet, or calls a local module that may."""
    return re.search(_WORDS, text) is not None


def roots(paths: Sequence[str], project: Project) -> Sequence[str]:
    """Keep one file of each folder, and none of folders that another one calls as a module."""
    calls = {
        folder: set(_called(folder, project)) for folder in {posixpath.dirname(path) for path in paths if live(path)}
    }
    called = {
        below for folder, targets in calls.items() for below in targets if folder not in calls.get(below, {folder})
    }
    kept: list[str] = []
    taken = set(called)
    for path in paths:
        folder = posixpath.dirname(path)
        if not live(path) or folder not in taken:
            kept.append(path)
        if live(path):
            taken.add(folder)
    return kept


def _called(folder: str, project: Project) -> Iterator[str]:
    """Give the folders of the modules that a folder's files call."""
    import glob

    for path in project.find(posixpath.join(glob.escape(folder), "*.tf")):
        try:
            file = project.read(path)
        except Refused:
            continue
        for match in re.finditer(_SOURCE, file.text if file else ""):
            below = posixpath.normpath(posixpath.join(folder, match[1]))
            yield "" if below == "." else below


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is Terraform's: by its name."""
    return path.endswith((".tf", ".tfvars"))


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read the root module that a file belongs to; what can't be read is a hit of BL001."""
    from burstctl.lint.terraform.fleet import read_fleet
    from burstctl.lint.terraform.module import read_root

    root = read_root(file.path, project)
    fleet, hits = read_fleet(root)
    files = {file.path: file, **root.files}
    return Pipeline(NAME, file, hits=(*root.hits, *hits), files=tuple(files.values()), fleet=fleet)
