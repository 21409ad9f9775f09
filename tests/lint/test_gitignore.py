"""`.gitignore` lines mean what they mean to Git: compared with Git itself where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from burstctl.lint.discover import discover
from burstctl.lint.gitignore import is_ignored, read_patterns
from burstctl.lint.project import Project

LINES = """\
# a comment
*.log
/build
docs/*.txt
**/cache
deep/**/end
kept/*
!kept/this
logs/
a?c
[xyz]1
[!xyz]2
trailing\\ 
\\#hash
"""
PATHS = [
    "a.log", "b/a.log", "build/x", "b/build/x", "docs/a.txt", "docs/b/a.txt", "b/docs/a.txt", "cache/x", "b/cache/x",
    "deep/end/x", "deep/a/b/end/x", "deep/endless/x", "kept/that", "kept/this", "logs/x", "b/logs/x", "abc", "ac",
    "x1", "a1", "x2", "a2", "#hash", "plain",
]  # fmt: skip


def _ignored(root: Path, path: str) -> bool:
    patterns = read_patterns(root, "")
    pieces = path.split("/")
    folders = ["/".join(pieces[:end]) for end in range(1, len(pieces))]
    return any(is_ignored(one, patterns, is_folder=True) for one in folders) or is_ignored(
        path, patterns, is_folder=False
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("path", PATHS)
def test_a_path_is_ignored_as_git_ignores_it(path: str, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text(LINES)
    said = subprocess.run(["git", "check-ignore", "-q", "--no-index", path], cwd=tmp_path, check=False).returncode == 0
    assert _ignored(tmp_path, path) is said


def test_lines_hold_below_their_own_folder(tmp_path: Path) -> None:
    job = "job: {script: [echo]}\n"
    for name in ("burst.yaml", "a/burst.yaml", "a/b/burst.yaml", "c/burst.yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(job)
    (tmp_path / "a" / ".gitignore").write_text("burst.yaml\n!b/burst.yaml\n")
    project = Project(tmp_path.resolve())
    assert list(discover(project, project.root)) == ["burst.yaml", "a/b/burst.yaml", "c/burst.yaml"]
    assert list(discover(project, Path(project.root) / "a")) == ["a/b/burst.yaml"]
    assert list(discover(project, project.root, exclude=["c", "a/*"])) == ["burst.yaml"]


def test_an_ignored_folder_is_not_entered(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "burst.yaml").write_text("")
    (tmp_path / ".gitignore").write_text("build/\n!build/burst.yaml\n")
    project = Project(tmp_path.resolve())
    assert list(discover(project, project.root)) == []
