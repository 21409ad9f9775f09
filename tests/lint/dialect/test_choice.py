"""No dialect loses a file because nobody asked it."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstctl.lint import dialect
from burstctl.lint.dialect.choice import eligible
from burstctl.lint.dialect.registry import Dialects, load
from burstctl.lint.modules import modules_in

FIXTURES = Path(__file__).parents[1] / "fixtures"
NAMES = modules_in(dialect)
WORDS = (
    *("Dockerfile", "containerfile", "api.dockerfile", "Jenkinsfile", "cfn", "template", "cloudformation", "argo"),
    *(".circleci", "config", ".github", "workflows", "action", ".gitlab-ci", ".buildkite", "buildkite", "tekton"),
    *(".azure-pipelines", "azure-pipelines", "bitbucket-pipelines", "gunicorn", "burst", "nightly.burst", "x.service"),
    *(".yml", ".yaml", ".json", ".tf", ".sh", ".py", ".template", ".j2", ".conf", "/", "-", ".", "a", "ARGO", "Cfn"),
)


def test_words_are_those_of_modules_that_exist() -> None:
    assert all(set(eligible([name], "nothing")) == set() for name in NAMES), "a dialect without words slows every run"


@pytest.mark.parametrize("name", NAMES)
def test_a_dialect_is_asked_about_every_file_that_it_wants(name: str) -> None:
    below = [path.relative_to(FIXTURES) for path in FIXTURES.rglob("*")]
    paths = {Path(*path.parts[depth:]).as_posix() for path in below for depth in range(len(path.parts))}
    paths |= {"".join(pair) for pair in product(WORDS, repeat=3)}
    assert [path for path in sorted(paths) if load(name).live(path) and not list(eligible([name], path))] == []


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map("".join))
def test_whatever_the_path(path: str) -> None:
    wanting = [one.NAME for one in Dialects().all() if one.live(path)]
    assert [one.NAME for one in Dialects().living_at(path)] == wanting
