"""Terraform's text: all of its language is taken, and a fault is told with its place."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.lint.check import check
from burstctl.lint.document import Unreadable
from burstctl.lint.file import File
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings
from burstctl.lint.terraform.model import Literal
from burstctl.lint.terraform.syntax import read_hcl

EVERYTHING = """\
/* a block
comment */
// a line
locals { a = 1 }
variable "x" {}
resource aws_thing unquoted {
  b = <<-EOT
    hi ${var.x} %{ if var.x }yes%{ else }no%{ endif }
    EOT
  c = [for s in var.list : upper(s) if s != ""]
  d = { for k, v in var.map : k => v... }
  e = aws_instance.x.*.id
  f = aws_instance.x.0.id
  g = concat(["b"], var.a...)
  h = "a\\"b${"nested ${var.y}"}"
  i = !var.z && (1 > 2 || var.q == null)
  j = var.m["key"].sub[*].id
  l = { "a b" : 1, (var.k) = 2 }
  p = "%{ for a in b ~}${a}%{ endfor ~}"
  q = (
    var.x
    ? 1
    : 2
  )
  n = provider::x::f(1)
  last = "3"
  dynamic "setting" {
    for_each = var.x
    content {}
  }
}
"""


def test_all_of_the_language_is_read() -> None:
    body = read_hcl(File.of("main.tf", EVERYTHING))
    assert [(block.kind, block.labels) for block in body.blocks] == [
        ("locals", ()),
        ("variable", ("x",)),
        ("resource", ("aws_thing", "unquoted")),
    ]
    thing = body.blocks[-1].body
    assert thing.attributes["last"].expression == Literal("3")
    assert thing.attributes["last"].span.text == '"3"'
    assert thing.generated("setting")


@pytest.mark.parametrize(
    ("text", "line"),
    [("a {\n  b = = 1\n}\n", 2), ('a {\n  b = "open\n}\n', 2), ("a {\n", 2), ("a {\n}\n}\n", 3)],
)
def test_a_fault_is_told_with_its_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        read_hcl(File.of("main.tf", text))
    assert abs(caught.value.span.begins.line - line) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "(" * 5000 + "1" + ")" * 5000,
        "a = " + "[" * 5000 + "]" * 5000,
        "a = " + "-" * 5000 + "1",
        "a {" * 3000 + "}" * 3000,
        'a = "' + "${" * 2000 + "}" * 2000 + '"',
        "a = " + " + ".join(["1"] * 5000),
        "a = x" + ".y" * 5000,
    ],
)
def test_depth_breaks_nothing(text: str, tmp_path: Path) -> None:
    project = Project(tmp_path.resolve(), {"main.tf": f'resource "aws_lb_target_group" "a" {{\n{text}\n}}\n'})
    check(["main.tf"], project, Settings())


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_text_is_judged_or_refused(data: st.DataObject) -> None:
    source = Path(__file__).parents[3] / "examples" / "infrastructure" / "main.tf"
    text = source.read_text(encoding="utf-8")
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 200)))
    piece = data.draw(st.text(alphabet='{}[]()"$%=#\\\n,.:?é🚀ab1 ', max_size=12))
    project = Project(source.parent.parent.resolve(), {"damaged.tf": text[:start] + piece + text[end:]})
    for finding in check(["damaged.tf"], project, Settings()).findings:
        assert finding.line >= 1
        assert finding.column >= 1
