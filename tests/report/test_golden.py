"""Every format against every way a run may end; BURSTCTL_UPDATE_GOLDEN=1 writes the expected files anew."""

import os
from pathlib import Path
from typing import Protocol

import pytest

from burstctl.gate import Verdict
from burstctl.report.registry import load, names
from burstctl.summary import Summary

GOLDEN = Path(__file__).parent / "golden"


class Situation(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> Summary: ...
    @property
    def verdict(self) -> Verdict: ...


@pytest.mark.parametrize("name", names())
def test_report_reads_as_agreed(name: str, situation: Situation) -> None:
    text = load(name).render(situation.summary, situation.verdict)
    path = GOLDEN / name / f"{situation.name}.txt"
    if os.environ.get("BURSTCTL_UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
