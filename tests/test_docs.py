"""Documentation is run: the README's manifests load, its tables are complete, its commands do what is said."""

import io
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import click
import jsonschema
import pytest

from burstctl.cli.group import Commands
from burstctl.cli.main import COMMANDS
from burstctl.cli.run import command as run_command
from burstctl.document import read_document
from burstctl.exit_code import ExitCode
from burstctl.manifest.json_schema import manifest_schema
from burstctl.manifest.load import load
from burstctl.report.registry import names, streaming_names

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANIFESTS = [block for block in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL) if block.startswith("version:")]


@pytest.mark.parametrize("text", MANIFESTS)
def test_the_readmes_manifests_are_good(text: str, tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "golden.jsonl", tmp_path)
    (tmp_path / "burst.yaml").write_text(text)
    plan = load(str(tmp_path / "burst.yaml"), stdin=io.BytesIO(), environ={}, run_id="r", seed=1)
    assert sum(1 for _ in plan.requests()) == plan.planned > 0
    jsonschema.validate(read_document(text.encode(), "README.md").value, manifest_schema())


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.yaml")), ids=lambda path: path.name)
def test_the_examples_are_good(path: Path) -> None:
    plan = load(str(path), stdin=io.BytesIO(), environ={}, run_id="r", seed=1)
    assert sum(1 for _ in plan.requests()) == plan.planned > 0
    jsonschema.validate(read_document(path.read_bytes(), path.name).value, manifest_schema())


def test_the_readme_lists_every_option_of_run_and_no_other() -> None:
    section = README.split("## Options of `burstctl run`")[1].split("\n## ")[0]
    documented = set(re.findall(r"`(--[a-z-]+)", section))
    known = {name for param in run_command.params for name in param.opts if name.startswith("--")}
    assert documented == known


def test_the_readme_lists_every_report_format_and_no_other() -> None:
    section = README.split("## Reports")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z0-9-]+)` \|", section, re.MULTILINE)) == {*names(), *streaming_names()}


def test_the_readme_lists_every_exit_code() -> None:
    section = README.split("## Exit codes")[1].split("\n## ")[0]
    documented = {
        int(code) for cell in re.findall(r"^\| ([\d, ]+) \|", section, re.MULTILINE) for code in cell.split(",")
    }
    assert documented == {int(code) for code in ExitCode}
    assert all(str(int(code)) in (run_command.help or "") for code in ExitCode)


def test_every_command_has_a_help_text() -> None:
    context = click.Context(Commands())
    for name in COMMANDS:
        command = Commands().get_command(context, name)
        assert command is not None
        assert command.help
        assert all(param.help for param in command.params if isinstance(param, click.Option))


def test_the_readmes_fleet_and_run_commands_work_as_printed(tmp_path: Path) -> None:
    commands = [line[2:] for line in README.splitlines() if line.startswith("$ burstctl")]
    assert len(commands) == 2
    script = "\n".join([commands[0], "fleet=$!", "sleep 1", commands[1], "code=$?", "kill $fleet", "exit $code"])
    (tmp_path / "burst.yaml").write_text(MANIFESTS[0])
    (tmp_path / "burstctl").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m burstctl "$@"\n')
    (tmp_path / "burstctl").chmod(0o755)
    result = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "PASS  1,200 of 1,200 requests succeeded" in result.stdout
    assert (tmp_path / "burst.json").exists()


def test_the_demonstration_keeps_its_promise() -> None:
    begun = time.monotonic()
    result = subprocess.run(
        [sys.executable, "-m", "burstctl", "demo"], capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert time.monotonic() - begun < 20
    rows = {line[:27].strip(): line[27:].split("  ") for line in result.stdout.splitlines()}

    def figures(row: str) -> list[int]:
        return [int(cell.replace(",", "").split()[0]) for cell in rows[row] if cell.strip()]

    unthrottled, throttled = figures("longest queue in the fleet")
    assert unthrottled > 800
    assert throttled < 20
    assert figures("most sent in any second")[1] <= 300
    assert "PASS  1,200 of 1,200 requests succeeded" in result.stdout
