"""Whatever stands in a file of a CI system beside GitLab, lint ends with findings, never with a fault of its own."""

import random
from pathlib import Path

import pytest

from burstctl.lint.check import check
from burstctl.lint.dialect.registry import Dialects
from burstctl.lint.file import File
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

FOLDER = Path(__file__).parent / "fixtures"
SYSTEMS = {
    "circleci": ".circleci/config.yml",
    "azure": "azure-pipelines.yml",
    "bitbucket": "bitbucket-pipelines.yml",
    "buildkite": ".buildkite/pipeline.yml",
    "jenkins": "Jenkinsfile",
    "tekton": ".tekton/task.yml",
    "argo": "argo/workflow.yml",
}
TRIALS = 4
BOMB = "a: &a [x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [*{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}, *{before}]\n"
    for before, name in zip("abcdefghi", "bcdefghij", strict=True)
)
CALLS = """\
steps: *j
jobs: {a: {steps: *j}}
workflows: {w: {jobs: [a]}}
pipelines: {default: *j}
stages: *j
variables: *j
env: *j
"""
HOSTILE = (
    "",
    "- 1\n",
    "jobs: 7\nsteps: {a: b}\npipelines: [1, [2]]\nworkflows: {a: [b]}\nstages: x\n",
    f"{BOMB}{CALLS}",
    "a: &a\n  b: *a\n",
    "x: " + "[" * 5000,
    "pipeline { stage('a') { " * 2000 + "sh '",
    "steps: [" + ", ".join("{command: a, key: k}" for _ in range(3000)) + "]\n",
)


def _broken(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(lines))
        match rng.randrange(4):
            case 0:
                del lines[place]
                lines = lines or ["\n"]
            case 1:
                lines.insert(place, lines[rng.randrange(len(lines))])
            case 2:
                lines[place] = "  " + lines[place]
            case _:
                key, colon, value = lines[place].partition(":")
                lines[place] = f"{key}{colon} [1, {{a: b}}]\n" if colon and value else lines[place]
    return "".join(lines)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_broken_file_is_no_fault_of_lint(system: str, tmp_path: Path) -> None:
    rng = random.Random(system)
    for fixture in sorted(FOLDER.joinpath(system).rglob("*")):
        if fixture.is_file():
            for _ in range(TRIALS):
                text = _broken(fixture.read_text(), rng)
                project = Project(tmp_path.resolve(), {SYSTEMS[system]: text})
                assert check([SYSTEMS[system]], project, Settings()).checked


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_what_has_no_end_ends(system: str, number: int, tmp_path: Path) -> None:
    path = SYSTEMS[system]
    known = next(one for one in Dialects().all() if system == one.NAME)
    project = Project(tmp_path.resolve(), {path: HOSTILE[number]})
    assert known.live(path)
    assert check([path], project, Settings()).checked == [File.of(path, "").path]
