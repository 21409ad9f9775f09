"""burst manifests: tells them from other files and reads them. They are no pipelines, so they hold no jobs."""

import re

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

NAME = "manifest"

_SUFFIXES = ("yaml", "yml")


def live(path: str) -> bool:
    """Tell whether a file is named as manifests are: `burst.yaml`, `NAME.burst.yaml`."""
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix in _SUFFIXES and (stem == "burst" or stem.endswith(".burst"))


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a manifest, by the keys at its top."""
    found = {key for key in ("requests", "target", "rate_limit") if re.search(rf'^"?{key}"?\s*:', head, re.MULTILINE)}
    return path.rpartition(".")[2] in (*_SUFFIXES, "json") and len(found) > 1


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a manifest; a file of this name that is none has nothing to check."""
    from burstctl.lint.manifest.read import read_manifest

    del project, settings
    return Pipeline(NAME, file, files=(file,), manifest=read_manifest(file))
