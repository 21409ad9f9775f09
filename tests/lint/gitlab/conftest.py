"""Reads GitLab pipelines whose files a test writes down, and shows them in short."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from burstctl.lint.dialect import gitlab
from burstctl.lint.job import Job
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings


@dataclass(frozen=True, slots=True)
class View:
    """A pipeline, and short ways to look at it."""

    pipeline: Pipeline

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.pipeline.jobs]

    def job(self, name: str | None = None) -> Job:
        """Give a job by its name, or the only one."""
        found = [one for one in self.pipeline.jobs if name in (None, one.name)]
        assert len(found) == 1, self.names
        return found[0]

    def script(self, name: str | None = None, section: str = "script") -> list[str]:
        """Give the commands of a section."""
        parts = [part for part in self.job(name).scripts if part.section == section]
        return [piece.text for part in parts for piece in part.pieces]

    def variables(self, name: str | None = None) -> dict[str, str | None]:
        """Give a job's variables without its arms'."""
        return {key: variable.value for key, variable in self.job(name).variables.items()}

    @property
    def hits(self) -> list[tuple[str, int]]:
        """Give code and line of what reading has shown."""
        return [(hit.code, hit.span.begins.line) for hit in self.pipeline.hits]

    @property
    def messages(self) -> str:
        return "\n".join(hit.message for hit in self.pipeline.hits)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., View]:
    """Read the pipeline of a root file; more files by path."""

    def read(
        text: str,
        files: dict[str, str] | None = None,
        *,
        path: str = ".gitlab-ci.yml",
        settings: Settings | None = None,
    ) -> View:
        for name, content in {path: text, **(files or {})}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content, encoding="utf-8")
        project = Project(tmp_path.resolve())
        file = project.read(path)
        assert file
        return View(gitlab.read(file, project, settings or Settings()))

    return read
