"""Reads GitHub workflows whose files a test writes down."""

from collections.abc import Callable
from pathlib import Path

import pytest

from burstctl.lint.dialect import github
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

PATH = ".github/workflows/ci.yml"


@pytest.fixture
def read() -> Callable[..., Pipeline]:
    """Read a workflow; more files by path."""

    def read(text: str, files: dict[str, str] | None = None) -> Pipeline:
        project = Project(Path("/nowhere"), {PATH: text, **(files or {})})
        file = project.read(PATH)
        assert file
        return github.read(file, project, Settings())

    return read
