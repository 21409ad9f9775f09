"""`burstctl init`: what it writes works as it stands, and nothing that was there is lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from burstctl.document import read_document
from burstctl.manifest.json_schema import manifest_schema

Run = Callable[..., Any]
PLACES = {"gitlab": "burst.gitlab-ci.yml", "github": ".github/workflows/burst.yml"}


@pytest.mark.parametrize("ci", PLACES)
def test_what_it_writes_is_sound(burstctl: Run, tmp_path: Path, ci: str) -> None:
    result = burstctl("init", "--ci", ci)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[:2] == ["wrote burst.yaml", f"wrote {PLACES[ci]}"]
    source = (tmp_path / "burst.yaml").read_bytes()
    jsonschema.validate(read_document(source, "burst.yaml").value, manifest_schema())
    offline = burstctl("dry-run", "burst.yaml", "--offline")
    assert offline.code == 0
    assert "Warnings" not in offline.out
    job = yaml.safe_load((tmp_path / PLACES[ci]).read_text())
    commands = (
        job["inference-burst"]["script"]
        if ci == "gitlab"
        else [step["run"] for step in job["jobs"]["burst"]["steps"] if "run" in step]
    )
    assert [command.split()[:2] for command in commands if command.startswith("burstctl")] == [
        ["burstctl", "dry-run"],
        ["burstctl", "run"],
    ]


def test_the_parts_that_are_commented_out_are_sound_too(burstctl: Run, tmp_path: Path) -> None:
    burstctl("init")
    text = (tmp_path / "burst.yaml").read_text()
    for old, new in (("  # headers:", "  headers:"), ("  #   authorization", "    authorization")):
        assert old in text
        text = text.replace(old, new)
    head, golden = text.split("  # - name: golden-set")
    block, rest = golden.split("\n\n", 1)
    text = head + "  - name: golden-set" + block.replace("\n  # ", "\n  ") + "\n\n" + rest
    (tmp_path / "burst.yaml").write_text(text)
    (tmp_path / "golden.jsonl").write_text('{"text": "a", "label": "b"}\n')
    result = burstctl("dry-run", "burst.yaml", "--offline", env={"INFERENCE_TOKEN": "canary-token"})
    assert result.code == 0, result.err
    assert '"authorization: Bearer $INFERENCE_TOKEN"' in result.out
    assert "401 requests of 2 names" in result.out


def test_it_takes_the_ci_system_that_is_there(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".github").mkdir()
    assert "wrote .github/workflows/burst.yml" in burstctl("init").out
    (tmp_path / "burst.yaml").unlink()
    (tmp_path / ".gitlab-ci.yml").touch()
    assert "wrote burst.gitlab-ci.yml" in burstctl("init").out


@pytest.mark.parametrize("name", ["burst.yaml", "burst.gitlab-ci.yml"])
def test_it_refuses_to_overwrite_and_then_writes_nothing(burstctl: Run, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("precious")
    result = burstctl("init")
    assert (result.code, result.out) == (2, "")
    assert f"{name} is there already" in result.err
    assert "--force" in result.err
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text() == "precious"
    assert burstctl("init", "--force").code == 0
    assert (tmp_path / name).read_text() != "precious"


def test_a_link_is_replaced_and_never_followed(burstctl: Run, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("precious")
    (tmp_path / "burst.yaml").symlink_to(other)
    (tmp_path / "burst.gitlab-ci.yml").symlink_to(tmp_path / "nowhere")
    assert burstctl("init").code == 2
    assert burstctl("init", "--force").code == 0
    assert other.read_text() == "precious"
    assert not (tmp_path / "nowhere").exists()
    assert not (tmp_path / "burst.yaml").is_symlink()


def test_where_nothing_can_be_written_that_is_said(burstctl: Run, tmp_path: Path) -> None:
    (tmp_path / ".github").write_text("a file")
    result = burstctl("init", "--ci", "github")
    assert (result.code, result.out) == (2, "")
    assert "can't be written" in result.err
    assert sorted(one.name for one in tmp_path.iterdir()) == [".github"]
