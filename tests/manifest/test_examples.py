"""The examples are what a user copies first: they load as they are."""

import io
import json
from pathlib import Path

import pytest

from burstctl.manifest.load import load
from burstctl.plan import Plan

EXAMPLES = Path(__file__).parents[2] / "examples"


def read(name: str) -> Plan:
    return load(str(EXAMPLES / name), stdin=io.BytesIO(), environ={}, run_id="r", seed=0)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_each_example_loads_and_helps_the_editor(path: Path) -> None:
    plan = read(path.name)
    assert path.read_text(encoding="utf-8").startswith(
        "# yaml-language-server: $schema=burstctl-manifest.schema.json\n"
    )
    assert sum(1 for _ in plan.requests()) == plan.planned > 0
    assert not any(request.broken for request in plan.requests())
    assert plan.notes == ()


def test_the_burst_is_the_one_that_took_the_fleet_down() -> None:
    plan = read("burst.yaml")
    assert (plan.planned, plan.rate_limit.rate_per_s) == (1200, 300)
    assert [t.label for t in plan.thresholds] == ["unsent <= 0%", "failed <= 0%", "p95 < 200ms"]
    first = next(plan.requests())
    assert (first.method, first.target, first.body) == ("POST", "/predict", b'{"text":"hello"}')


def test_the_golden_set_holds_each_answer_against_its_row() -> None:
    for request in read("golden-set.yaml").requests():
        sent = json.loads(request.body)
        assert request.expect.json == {"label": "ok", "echo": {"id": sent["id"]}}
