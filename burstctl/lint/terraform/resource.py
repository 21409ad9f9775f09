"""Goes through the resources of all modules of a root, with their settings worked out. Knows no type of resource."""

from collections.abc import Iterator, Mapping

from burstctl.light import light
from burstctl.lint.file import Span
from burstctl.lint.fleet import Plain, Setting
from burstctl.lint.terraform.model import Attribute, Block, Body, Literal
from burstctl.lint.terraform.scope import ELSEWHERE, Scope, Worth


@light
class Resource:
    """One resource, or a module from elsewhere, as one call of its module declares it."""

    kind: str
    address: str
    block: Block
    scope: Scope
    sure: bool
    """It exists whatever the variables say."""

    @property
    def body(self) -> Body:
        return self.block.body

    def worth(self, name: str, body: Body | None = None) -> Worth | None:
        """Work an argument out; None where it isn't given, or null."""
        attribute = (body or self.body).attributes.get(name)
        worth = self.scope.work_out(attribute.expression) if attribute else None
        return None if worth is None or (worth.known and worth.value is None) else worth

    def setting(self, name: str, default: Plain, body: Body | None = None, key: Span | None = None) -> Setting:
        """Give an argument, or its default at the place of `key`."""
        worth = self.worth(name, body)
        if worth is None:
            return Setting(key or self.block.key, default, source="by default")
        return as_setting((body or self.body).attributes[name], worth)

    def given(self, name: str) -> Setting | None:
        """Give an argument; None where it isn't given."""
        return self.setting(name, None) if self.worth(name) is not None else None

    def text(self, name: str, body: Body | None = None) -> str | None:
        """Give an argument that is a known text."""
        worth = self.worth(name, body)
        return worth.value if worth and worth.known and isinstance(worth.value, str) else None

    def refs(self, name: str, body: Body | None = None) -> frozenset[str]:
        """Give the addresses that an argument depends on."""
        worth = self.worth(name, body)
        return worth.refs if worth else frozenset()

    def is_filled(self, name: str) -> bool | None:
        """Tell whether a list holds anything; None where that isn't known."""
        worth = self.worth(name)
        if worth is None:
            return False
        if worth.known and isinstance(worth.value, tuple):
            return bool(worth.value)
        return True if worth.refs - {ELSEWHERE} else None


def as_setting(attribute: Attribute, worth: Worth) -> Setting:
    """Give what an attribute is worth, with its place."""
    value = worth.value if isinstance(worth.value, str | int | float | bool) else None
    known = worth.known and value is not None
    return Setting(attribute.span, value, known, worth.source, isinstance(attribute.expression, Literal))


def resources(scope: Scope) -> Iterator[Resource]:
    """Give the resources of one module, and the modules it calls that aren't read; none that can't exist."""
    for block in scope.blocks("resource"):
        if len(block.labels) == 2 and (sure := _exists(block, scope)) is not None:
            kind, label = block.labels
            yield Resource(kind, f"{scope.prefix}{kind}.{label}", block, scope, sure and scope.sure)
    for block in scope.blocks("module"):
        if block.labels and block.labels[0] not in scope.children and (sure := _exists(block, scope)) is not None:
            yield Resource("module", f"{scope.prefix}module.{block.labels[0]}", block, scope, sure and scope.sure)


def _exists(block: Block, scope: Scope) -> bool | None:
    """Tell whether a block surely exists; None: it can't."""
    for name in ("count", "for_each"):
        if attribute := block.body.attributes.get(name):
            worth = scope.work_out(attribute.expression)
            if not worth.known:
                return False
            value = worth.value
            empty = not value if isinstance(value, tuple | Mapping | int | float) else value is None
            return None if empty else True
    return True
