"""The pipelines that burstctl gives to its users pass its own lint, at the places where their CI systems read them."""

from pathlib import Path

import pytest

import burstctl
from burstctl.lint.check import check
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
STARTERS = Path(burstctl.__file__).parent / "starter"
LIVE = {"gitlab-ci.yml": ".gitlab-ci.yml", "github-actions.yml": ".github/workflows/burst.yml"}


@pytest.mark.parametrize("folder", [EXAMPLES, STARTERS], ids=lambda path: path.name)
@pytest.mark.parametrize("name", LIVE)
def test_an_example_is_green(folder: Path, name: str) -> None:
    texts = {LIVE[name]: (folder / name).read_text(encoding="utf-8")}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in folder.glob("burst*.y*ml")}
    result = check([LIVE[name]], Project(Path("/nowhere"), texts), Settings(budget_per_s=300))
    assert [f"{one.line}: {one.code} {one.message}" for one in result.findings if one.fails] == []
    assert LIVE[name] in result.checked
