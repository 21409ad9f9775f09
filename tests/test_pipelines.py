"""The CI examples and starters: sound YAML, keys that their systems know, and command lines that burstctl takes."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import burstctl
from burstctl.cli.group import cli
from burstctl.exit_code import ExitCode

ROOT = Path(__file__).parent.parent
STARTERS = Path(burstctl.__file__).parent / "starter"
GITLAB = [ROOT / "examples" / "gitlab-ci.yml", STARTERS / "gitlab-ci.yml"]
GITHUB = [ROOT / "examples" / "github-actions.yml", STARTERS / "github-actions.yml"]
JOB_KEYS = {
    "allow_failure", "artifacts", "before_script", "extends", "image", "needs", "parallel", "retry", "script", "stage",
    "timeout", "variables", "when",
}  # fmt: skip
STEP_KEYS = {"uses", "with", "run", "if", "name", "env"}
VALUES = {"SHARD": "2", "INFERENCE_URL": "http://fleet:8080", "STAGING_URL": "http://staging:8080"}


def read(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
    return loaded


def gitlab_jobs(path: Path) -> dict[str, dict[str, Any]]:
    whole = read(path)
    jobs: dict[str, dict[str, Any]] = {}
    for name, job in whole.items():
        if name != "stages":
            jobs[name] = {**whole.get(job.get("extends"), {}), **job}
    return jobs


def commands(path: Path) -> Iterator[tuple[list[str], dict[str, str]]]:
    """Give every command line of burstctl's, and the variables that are set beside it."""
    if path in GITLAB:
        scripts = [
            (line, job.get("variables", {})) for job in gitlab_jobs(path).values() for line in job.get("script", ())
        ]
    else:
        jobs = read(path)["jobs"].values()
        scripts = [(step["run"], job.get("env", {})) for job in jobs for step in job["steps"] if "run" in step]
    for script, variables in scripts:
        for line in script.splitlines():
            words = shlex.split(re.sub(r"\$(\w+)", lambda name: VALUES[name[1]], line), comments=True)
            if words[0] == "burstctl":
                yield words[1:], variables


def parse(arguments: list[str], variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Have click read a command line to its end, and give the command's path; nothing is run."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    command: click.Command = cli
    path: list[str] = []
    while isinstance(command, click.Group):
        name, *arguments = arguments
        found = command.get_command(click.Context(command), name)
        assert found is not None, f"there is no command {name}"
        command = found
        path.append(name)
    prefix = "_".join(["BURSTCTL", *path]).upper().replace("-", "_")
    command.make_context(" ".join(path), list(arguments), auto_envvar_prefix=prefix)
    return path


@pytest.mark.parametrize("path", [*GITLAB, *GITHUB], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_command_line_is_one_that_burstctl_takes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [parse(arguments, variables, monkeypatch) for arguments, variables in commands(path)]
    wanted = [["dry-run"], ["run"]]
    if path.parent.name == "examples":
        wanted = [["lint"], ["dry-run"], *wanted, ["report", "merge"]]
    assert paths == wanted


@pytest.mark.parametrize("path", [*GITLAB, *GITHUB], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_variable_of_burstctls_is_an_option(path: Path) -> None:
    run = cli.get_command(click.Context(cli), "run")
    assert run is not None
    known = {f"BURSTCTL_RUN_{param.name.upper()}" for param in run.params if param.name}
    named = set(re.findall(r"BURSTCTL_[A-Z_]+\b(?!…)", path.read_text(encoding="utf-8"))) - {"BURSTCTL_RUN_"}
    assert named
    assert named <= known


@pytest.mark.parametrize("path", GITLAB, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_gitlab_knows_every_key(path: Path) -> None:
    jobs = gitlab_jobs(path)
    assert {key for job in jobs.values() for key in job} <= JOB_KEYS
    burst = jobs["inference-burst"]
    assert int(burst["allow_failure"]["exit_codes"]) == ExitCode.INCONCLUSIVE
    assert int(burst["retry"]["exit_codes"]) == ExitCode.UNAVAILABLE
    assert burst["artifacts"]["when"] == "always"


def test_the_gitlab_example_goes_from_lint_to_one_report_over_three_jobs() -> None:
    path = GITLAB[0]
    jobs = gitlab_jobs(path)
    stages = read(path)["stages"]
    order = [stages.index(job["stage"]) for name, job in jobs.items() if not name.startswith(".")]
    assert order == list(range(5))
    assert jobs["inference-burst"]["parallel"] == {"matrix": [{"SHARD": ["1", "2", "3"]}]}
    report = jobs["inference-report"]
    assert (report["needs"], report["when"]) == (["inference-burst"], "always")
    written = set(re.findall(r"--report [\w-]+=(\S+)", report["script"][0]))
    assert set(report["artifacts"]["reports"]) == {"junit", "load_performance", "dotenv"}
    assert set(report["artifacts"]["reports"].values()) | set(report["artifacts"]["paths"]) == written
    assert int(report["allow_failure"]["exit_codes"]) == ExitCode.INCONCLUSIVE


@pytest.mark.parametrize("path", GITHUB, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_github_knows_every_key_and_no_script_is_a_template(path: Path) -> None:
    workflow = read(path)
    assert set(workflow) <= {"name", "on", "permissions", "env", "jobs"}
    for job in workflow["jobs"].values():
        assert set(job) <= {"needs", "if", "runs-on", "timeout-minutes", "strategy", "env", "steps"}
        for step in job["steps"]:
            assert set(step) <= STEP_KEYS
            assert ("uses" in step) is not ("run" in step)
            assert "${{" not in step.get("run", "")


def test_the_github_example_waits_for_each_of_its_jobs() -> None:
    jobs = read(GITHUB[0])["jobs"]
    assert {name: job.get("needs") for name, job in jobs.items()} == {
        "lint": None,
        "deploy": "lint",
        "dry-run": "deploy",
        "burst": "dry-run",
        "report": "burst",
    }
    assert jobs["burst"]["strategy"] == {"fail-fast": "false", "matrix": {"shard": ["1", "2", "3"]}}


@pytest.mark.parametrize("path", [*GITLAB, *GITHUB], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_lint_has_nothing_to_say(path: Path, tmp_path: Path) -> None:
    place = tmp_path / (".gitlab-ci.yml" if path in GITLAB else ".github/workflows/burst.yml")
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, place)
    shutil.copy(
        ROOT / "examples" / "burst.yaml" if path.parent.name == "examples" else STARTERS / "burst.yaml", tmp_path
    )
    lint = [sys.executable, "-m", "burstctl", "lint"]
    result = subprocess.run(lint, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout
