"""GitHub's job summary: the report is added to what is there, and trouble with the file is told, not more."""

from pathlib import Path

import pytest

from burstctl.cli.step_summary import append_step_summary
from burstctl.gate import judge
from burstctl.summary import Figures, Rate, Summary

SUMMARY = Summary("smoke", "2025-01-31T03:00:00Z", 1.0, Figures(1, 1), {}, Rate(300.0))
VERDICT = judge(SUMMARY, [])


def test_the_report_is_added_to_what_earlier_steps_wrote(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("earlier\n")
    environ = {"GITHUB_STEP_SUMMARY": str(path)}
    assert append_step_summary(SUMMARY, VERDICT, environ) is None
    assert append_step_summary(SUMMARY, VERDICT, environ) is None
    assert path.read_text().startswith("earlier\n### ")
    assert path.read_text().count("burstctl smoke: pass") == 2


@pytest.mark.parametrize("environ", [{}, {"GITHUB_STEP_SUMMARY": ""}])
def test_elsewhere_nothing_is_written(environ: dict[str, str]) -> None:
    assert append_step_summary(SUMMARY, VERDICT, environ) is None


@pytest.mark.parametrize("path", ["/nowhere/summary.md", "/dev/full", "/", "a\0b"])
def test_a_file_that_cannot_be_written_is_told(path: str) -> None:
    said = append_step_summary(SUMMARY, VERDICT, {"GITHUB_STEP_SUMMARY": path})
    assert said is not None
    assert said.startswith("can't append to GITHUB_STEP_SUMMARY: ")
