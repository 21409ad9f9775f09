"""Findings as every format gets them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burstctl.finding import Confidence, Finding, Origin, Severity
from burstctl.light import replace
from burstctl.lint.result import Result, Suppressed
from burstctl.source import Source

TEXT = """\
.load:
  script:
    - hey -n 400 "$URL/predict"
golden-set:
  extends: .load
"""

MISSING = Finding(
    code="BL101",
    severity=Severity.ERROR,
    confidence=Confidence.CERTAIN,
    message="no rate limit: hey on line 3 fires requests as fast as it can",
    path=".gitlab-ci.yml",
    line=4,
    column=1,
    end_line=4,
    end_column=11,
    job="golden-set",
    origin=None,
    hint="send it with `burstctl run`",
    identity="a",
)
INHERITED = replace(
    MISSING,
    code="BL303",
    severity=Severity.WARNING,
    message="hey has no rate",
    line=3,
    column=7,
    end_line=3,
    end_column=35,
    origin=Origin(".gitlab-ci.yml", 1, 1, "golden-set has this from .load"),
    hint=None,
    identity="b",
)
NOTED = replace(
    MISSING,
    code="BL010",
    severity=Severity.NOTICE,
    message="100% of it, and more: not read",
    path="ci/more things.yml",
    line=1,
    column=1,
    end_line=3,
    end_column=2,
    job=None,
    hint=None,
    identity="c",
)


@pytest.fixture
def make() -> Callable[..., Result]:
    """Give the means to make a result."""

    def make(*findings: Finding, **more: Any) -> Result:
        checked = sorted({".gitlab-ci.yml", *(finding.path for finding in findings)})
        source = Source.of(".gitlab-ci.yml", TEXT)
        return Result(Path("/project"), list(findings), checked, {".gitlab-ci.yml": source}, **more)

    return make


@pytest.fixture
def result(make: Callable[..., Result]) -> Result:
    """Give a result with a finding of each kind, and one that is silenced."""
    silent = Suppressed(replace(MISSING, code="BL204", identity="d"), "a fleet of its own", True)  # noqa: FBT003
    return make(INHERITED, MISSING, NOTED, suppressed=[silent])
