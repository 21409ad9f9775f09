"""What expressions are worth: as far as literals, variables and locals go, and never for ever."""

import time

import pytest

from burstctl.lint.file import File
from burstctl.lint.terraform.scope import Scope
from burstctl.lint.terraform.syntax import read_hcl

MORE = """\
locals {
  sizes = { small = 2, "large" = 8 }
}
variable "given" {
  default = 7
}
variable "unknown" {}
"""


def worth_of(expression: str, more: str = "") -> object:
    file = File.of("main.tf", f"{more}\nlocals {{\n  it = {expression}\n}}\n")
    scope = Scope("", (read_hcl(file),))
    attribute = scope.blocks("locals")[-1].body.attributes["it"]
    worth = scope.work_out(attribute.expression)
    return worth.value if worth.known else "unknown"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("2.5", 2.5),
        ('"a b"', "a b"),
        ('" ${1} and ${"two"} "', " 1 and two "),
        ('"$${not} \\"quoted\\""', '${not} "quoted"'),
        ("(1 + 2) * 3 / 9", 1),
        ("true ? 1 : 2", 1),
        ("!true ? 1 : 2", 2),
        ('"a" == "b" ? 1 : 2', 2),
        ("3 >= 3 ? 1 : 2", 1),
        ("var.unknown ? 5 : 5", 5),
        ("null", None),
        ("1 / 0", "unknown"),
        ("max(1, 2)", "unknown"),
        ("var.unknown", "unknown"),
        ("[for x in [1] : x]", "unknown"),
        ("{ a = 1 }.a", "unknown"),
        ("local.sizes.large", 8),
        ("local.sizes.none", "unknown"),
        ("local.sizes[local.which]", "unknown"),
        ("var.given", 7),
        ("var.given + local.sizes.large", 15),
        ('"${var.given}-${var.unknown}"', "unknown"),
        ('"${var.given}"', 7),
        ('"${true}" ? 1 : 2', 1),
        ("each.value", "unknown"),
    ],
)
def test_an_expression_is_worth_what_can_be_read(expression: str, value: object) -> None:
    assert worth_of(expression, MORE) == value


def test_a_resource_is_known_by_its_address() -> None:
    file = File.of(
        "main.tf", 'locals {\n  it = [aws_lb.a.arn, data.aws_lb.b.arn, "${aws_lb.c[0].arn}", aws_lb.d[*].arn]\n}\n'
    )
    scope = Scope("module.x.", (read_hcl(file),))
    worth = scope.work_out(scope.blocks("locals")[0].body.attributes["it"].expression)
    assert worth.refs == {f"module.x.{name}" for name in ("aws_lb.a", "data.aws_lb.b", "aws_lb.c", "aws_lb.d")}


@pytest.mark.parametrize(
    "join", ["[local.l{0}, local.l{0}]", '"${{local.l{0}}}${{local.l{0}}}"', "local.l{0} * local.l{0}"]
)
def test_locals_that_double_each_other_end_soon(join: str) -> None:
    lines = "\n".join(f"  l{number + 1} = {join.format(number)}" for number in range(200))
    began = time.perf_counter()
    worth_of("local.l200 == local.l199 ? 1 : 1", f"locals {{\n  l0 = 12\n{lines}\n}}")
    assert time.perf_counter() - began < 5


def test_locals_in_circles_and_deep_chains_are_unknown() -> None:
    chain = "\n".join(f"  l{number} = local.l{number + 1}" for number in range(5000))
    assert worth_of("local.l0", f"locals {{\n{chain}\n  l5000 = 1\n}}") == "unknown"
    assert worth_of("local.a", "locals {\n  a = local.b\n  b = local.a\n}") == "unknown"
