"""Expressions come to what GitHub makes of them; what only the running job knows stays unknown."""

import time
from collections.abc import Sequence
from typing import Any

import pytest

from burstctl.lint.github.expression import EXPRESSION, Result, evaluate
from burstctl.lint.github.operand import UNKNOWN

VALUES: dict[str, Any] = {"inputs.rate": 50, "matrix.model": {"name": "tiny", "rates": [5, 10]}, "env.NAME": "Load"}


def lookup(path: Sequence[str]) -> Result:
    return Result(VALUES.get(".".join(path), UNKNOWN), asked=path[-1] == "asked")


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("'it''s'", "it's"),
        (" 0x1F ", 31),
        ("-2.5e1", -25),
        ("true", True),
        ("null", None),
        ("inputs.rate", 50),
        ("inputs['rate']", 50),
        ("INPUTS.rate", 50),
        ("github.sha", UNKNOWN),
        ("inputs.rate == '50'", True),
        ("env.NAME == 'LOAD'", True),
        ("null == 0", True),
        ("'' == false", True),
        ("'a' == 0", False),
        ("inputs.rate > 9 && inputs.rate <= 50", True),
        ("inputs.rate && 'yes' || 'no'", "yes"),
        ("!inputs.rate", False),
        ("!(inputs.rate == 1 || false)", True),
        ("github.ref == 'refs/heads/main'", UNKNOWN),
        ("github.ref || 'main'", "main"),
        ("github.ref && false", False),
        ("github.ref && 'x'", UNKNOWN),
        ("vars.RATE || inputs.rate", 50),
        ("fromJSON('[1, {\"a\": 2}]')[1].a", 2),
        ("fromJSON('{')", UNKNOWN),
        ("fromJSON(needs.plan.outputs.list)", UNKNOWN),
        ("format('{0}/{1} {{}}', inputs.rate, 's')", "50/s {}"),
        ("join(fromJSON('[1,2]'), '-')", "1-2"),
        ("contains('Load-test', 'LOAD')", True),
        ("contains(fromJSON('[\"a\", \"b\"]'), 'b')", True),
        ("startsWith(env.NAME, 'lo')", True),
        ("endsWith(env.NAME, 'x')", False),
        ("hashFiles('**/lock')", UNKNOWN),
        ("github.event.commits.*.id", UNKNOWN),
        ("format()", UNKNOWN),
        ("startsWith()", UNKNOWN),
        ("join('a')", UNKNOWN),
        ("1 +", UNKNOWN),
        ("(1", UNKNOWN),
        ("a b", UNKNOWN),
        ("", UNKNOWN),
        ("'open", UNKNOWN),
    ],
)
def test_an_expression_comes_to(body: str, value: Any) -> None:
    found = evaluate(body, lookup).value
    assert found is value if value is UNKNOWN or isinstance(value, bool) else found == value


def test_a_default_counts_as_stated_but_decides_no_condition() -> None:
    assert evaluate("vars.LOAD || false", lookup).value is False
    assert evaluate("vars.LOAD || false", lookup, guess=False).value is UNKNOWN
    assert evaluate("vars.LOAD || true", lookup, guess=False).value is True


def test_what_somebody_may_type_is_remembered() -> None:
    assert evaluate("inputs.asked || '50'", lookup) == Result("50", asked=True)
    assert evaluate("format('{0}/s', inputs.asked)", lookup).asked


@pytest.mark.parametrize(
    "body",
    ["(" * 5_000, "!" * 1_900, "a." * 900, "f(" * 900, "(" * 900 + "1" + ")" * 900, "1||" * 600 + "1", "a[" * 900],
)
def test_no_expression_is_too_much(body: str) -> None:
    evaluate(body, lookup)


def test_texts_that_never_close_are_looked_through_once() -> None:
    begun = time.process_time()
    for text in ("${{ '" * 200_000, "${{ 'a' " * 100_000, "${{" * 300_000, "${{ " + "'a'" * 200_000):
        assert not EXPRESSION.search(text)
    assert time.process_time() - begun < 10
