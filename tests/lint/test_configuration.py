"""Settings are read from either file; whatever is wrong in them is one message with the file, the key and advice."""

from pathlib import Path

import pytest

from burstctl.errors import UsageError
from burstctl.lint.configuration import find_settings, settings_from
from burstctl.lint.settings import Settings

ALL = """\
[tool.burstctl.lint]
budget = "18000/min"
stages = ["verify"]
jobs = ["load-*"]
select = ["BL1", "BL301"]
ignore = ["BL110"]
exclude = ["legacy/*"]
rate-variables = ["SPEED"]
inference-patterns = ['/rank\\b']
[tool.burstctl.lint.per-file-ignores]
"old/*" = ["BL101"]
[tool.burstctl.lint.include-map]
"project:group/ci/load.yml" = "ci/load.yml"
"""


def test_every_key_is_read(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(ALL)
    assert find_settings(tmp_path) == Settings(
        budget_per_s=300.0,
        stages=("verify",),
        jobs=("load-*",),
        select=("BL1", "BL301"),
        ignore=("BL110",),
        per_file_ignores={"old/*": ("BL101",)},
        include_map={"project:group/ci/load.yml": "ci/load.yml"},
        exclude=("legacy/*",),
        rate_variables=("SPEED",),
        inference_patterns=(r"/rank\b",),
    )


def test_the_own_file_beats_the_projects(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.burstctl.lint]\nbudget = 100\nstages = ["a"]\n')
    (tmp_path / ".burstctl.toml").write_text("[lint]\nbudget = 200\n")
    assert find_settings(tmp_path) == Settings(budget_per_s=200.0)


def test_a_project_without_settings_has_the_defaults(tmp_path: Path) -> None:
    assert find_settings(tmp_path) == Settings()
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "a"\n')
    assert find_settings(tmp_path) == Settings()


@pytest.mark.parametrize(
    ("values", "said", "hint"),
    [
        ({"bugdet": 1}, "has no key bugdet", "did you mean budget?"),
        ({"zzz": 1}, "has no key zzz", "the keys are budget, stages"),
        ({"budget": "fast"}, "budget: expected a positive number", None),
        ({"budget": -1}, "budget: expected a positive number", None),
        ({"stages": 3}, "stages: expected a list of texts", None),
        ({"select": ["E501"]}, "select: expected codes such as BL101", None),
        ({"ignore": ["BL777"]}, "ignore: there is no rule BL777", None),
        ({"per-file-ignores": ["BL101"]}, "per-file-ignores: expected a table", None),
        ({"include-map": {"group/ci": "a.yml"}}, "include-map: 'group/ci' must begin with project:", None),
        ({"inference-patterns": ["("]}, "inference-patterns: '(' is no regular expression", None),
    ],
)
def test_a_bad_value_is_one_clear_message(values: dict[str, object], said: str, hint: str | None) -> None:
    with pytest.raises(UsageError) as caught:
        settings_from(values, "a.toml")
    assert caught.value.message.startswith("a.toml: [tool.burstctl.lint] ")
    assert said in caught.value.message
    assert hint is None or (caught.value.hint or "").startswith(hint)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pyproject.toml", "[tool", "is not valid TOML"),
        ("pyproject.toml", "[tool.burstctl]\nlint = 3\n", "must be a table"),
        (".burstctl.toml", "budget = 3\n", "has no [tool.burstctl.lint]"),
    ],
)
def test_a_file_that_can_not_be_read_is_named(name: str, text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=r"toml") as caught:
        find_settings(tmp_path)
    assert said in caught.value.message
