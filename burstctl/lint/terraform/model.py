"""Terraform's language as values that know where they stand: blocks, attributes, expressions. Knows no resource."""

from collections.abc import Iterator, Mapping

from burstctl.light import light
from burstctl.lint.file import Span

Plain = str | int | float | bool | None


@light
class Literal:
    """A value that stands there as it is."""

    value: Plain


@light
class Reference:
    """A name with all its attributes: `var.size`, `aws_lb_target_group.api.arn`; indices are left out."""

    path: tuple[str, ...]
    whole: bool = True
    """No index or splat was left out."""


@light
class Listed:
    """A tuple."""

    items: tuple["Expression", ...]


@light
class Keyed:
    """An object; entries whose key isn't a plain text are left out, and it isn't `whole`."""

    entries: Mapping[str, "Expression"]
    whole: bool = True


@light
class Template:
    """A quoted text with expressions in it."""

    parts: tuple["Expression", ...]


@light
class Choice:
    """`condition ? yes : no`."""

    condition: "Expression"
    yes: "Expression"
    no: "Expression"


@light
class Operation:
    """A sum, product, comparison…"""

    sign: str
    left: "Expression"
    right: "Expression"


@light
class Opaque:
    """Anything else, such as a function's call, with all expressions inside it."""

    inner: tuple["Expression", ...] = ()


Expression = Literal | Reference | Listed | Keyed | Template | Choice | Operation | Opaque


@light
class Attribute:
    """`name = expression`."""

    name: str
    key: Span
    span: Span
    """The expression."""
    expression: Expression


@light
class Body:
    """What stands between braces, or in a file."""

    attributes: Mapping[str, Attribute]
    blocks: tuple["Block", ...]

    def find(self, kind: str) -> Iterator["Block"]:
        """Give the blocks of a type."""
        return (block for block in self.blocks if block.kind == kind)

    def generated(self, kind: str) -> bool:
        """Tell whether a `dynamic` block may make blocks of a type."""
        return any(block.kind == "dynamic" and block.labels[:1] == (kind,) for block in self.blocks)


@light
class Block:
    """`type "label" … { … }`."""

    kind: str
    labels: tuple[str, ...]
    key: Span
    """Its type and labels."""
    body: Body
