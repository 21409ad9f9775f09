"""Lints every fixture below `fixtures/` and compares all findings with those that its first lines expect.

A fixture is a file, linted as if it stood where its CI system looks for it, or a folder, linted as a project. Comments
that any of its files begins with say what is expected: `# expect: CODE LINE [job]` for each finding (`PATH:LINE`: one
in another file), or `# expect: nothing`; `# settings: {budget: 300/s}` sets, and `# path: NAME` names where it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from burstctl.lint.check import check
from burstctl.lint.configuration import settings_from
from burstctl.lint.discover import discover
from burstctl.lint.project import Project
from burstctl.lint.result import Result

FOLDER = Path(__file__).parent / "fixtures"
FIXTURES = sorted(one for system in FOLDER.iterdir() for one in system.iterdir())
LIVE = {
    "gitlab": ".gitlab-ci.yml",
    "github": ".github/workflows/{name}.yml",
    "circleci": ".circleci/config.yml",
    "azure": "azure-pipelines.yml",
    "bitbucket": "bitbucket-pipelines.yml",
    "buildkite": ".buildkite/pipeline.yml",
    "jenkins": "Jenkinsfile",
    "tekton": ".tekton/{name}.yml",
    "argo": "argo/{name}.yml",
    "manifest": "burst.yaml",
}
_NOTE = re.compile(r"\s*(?:#|//)\s*(?P<word>expect|settings|path):\s*(?P<text>.*?)\s*")
_EXPECT = re.compile(r"(?P<code>BL\d{3}) (?:(?P<path>\S+):)?(?P<line>\d+)(?: (?P<job>.+))?")

Expected = tuple[str, str, int, str | None]
"""Path, code, line, job."""


@dataclass(slots=True)
class Notes:
    """What the comments of a fixture say."""

    expected: list[Expected] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    path: str | None = None
    spoken: bool = False


def _read(text: str, path: str, notes: Notes) -> None:
    for line in text.removeprefix("\ufeff").splitlines():
        match = _NOTE.fullmatch(line)
        if match is None:
            if line.strip().startswith(("#", "//")):
                continue
            return
        if match["word"] == "settings":
            notes.settings |= yaml.safe_load(match["text"])
        elif match["word"] == "path":
            notes.path = match["text"]
        else:
            notes.spoken = True
            found = _EXPECT.fullmatch(match["text"])
            assert found or match["text"] == "nothing", f"{path}: can't read {line!r}"
            if found:
                notes.expected.append((found["path"] or path, found["code"], int(found["line"]), found["job"]))


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _lint(fixture: Path, empty: Path) -> tuple[Result, Notes]:
    notes = Notes()
    if fixture.is_dir():
        project = Project(fixture.resolve())
        for file in _files(fixture):
            _read(file.read_bytes().decode("utf-8", "replace"), file.relative_to(fixture).as_posix(), notes)
        paths = list(discover(project, project.root))
    else:
        text = fixture.read_bytes().decode()
        usual = LIVE[fixture.parent.name].format(name=fixture.stem)
        _read(text, usual, notes)
        if notes.path is not None:
            moved = notes.path
            notes.expected = [
                (moved if path == usual else path, code, line, job) for path, code, line, job in notes.expected
            ]
        name = notes.path or usual
        project, paths = Project(empty.resolve(), {name: text}), [name]
    settings = settings_from(notes.settings, str(fixture))
    assert notes.spoken, "a fixture says what it expects"
    return check(paths, project, settings), notes


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_fixture_has_exactly_the_findings_that_it_expects(fixture: Path, tmp_path: Path) -> None:
    result, notes = _lint(fixture, tmp_path)
    found = sorted((one.path, one.code, one.line, one.job or "") for one in result.findings)
    assert found == sorted((path, code, line, job or "") for path, code, line, job in notes.expected), [
        f"{one.path}:{one.line}: {one.code} {one.message} ({one.job})" for one in result.findings
    ]
    assert result.checked, "nothing was linted"
    assert len({one.fingerprint for one in result.findings}) == len(result.findings)
