"""Reads Terraform text into values, by tree-sitter's HCL grammar. Knows no resource and works nothing out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from burstctl.lint.document import Unreadable
from burstctl.lint.file import File, Span
from burstctl.lint.grammar import parser_of
from burstctl.lint.terraform.model import (
    Attribute,
    Block,
    Body,
    Choice,
    Expression,
    Keyed,
    Listed,
    Literal,
    Opaque,
    Operation,
    Reference,
    Template,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tree_sitter

_MAX_DEPTH = 100
"""Deeper expressions and blocks are taken for opaque: nobody writes them, and Python's stack is finite."""


def read_hcl(file: File) -> Body:
    """Read a file; `Unreadable` says where the grammar stops understanding it."""
    parser = parser_of("tree_sitter_hcl")
    root = parser.parse(file.text.encode("utf-8", "replace")).root_node
    reading = _Reading(file)
    if root.has_error:
        place = reading.span(_first_error(root))
        raise Unreadable(
            "not valid Terraform: the text makes no sense from here on", Span(file, place.start, place.start + 1)
        )
    body = next((child for child in root.named_children if child.type == "body"), None)
    return reading.body(body, 0) if body else Body({}, ())


def _first_error(root: tree_sitter.Node) -> tree_sitter.Node:
    """Find the first fault, in the innermost node that has it."""
    node = root
    while not (node.is_error or node.is_missing):
        inner = next((child for child in node.children if child.has_error or child.is_missing), None)
        if inner is None:
            break
        node = inner
    return node


class _Reading:
    """One file on its way from syntax tree to values."""

    __slots__ = ("_file", "_offsets")

    def __init__(self, file: File) -> None:
        self._file = file
        lengths = (len(character.encode("utf-8", "replace")) for character in file.text)
        self._offsets = None if file.text.isascii() else list(accumulate(lengths, initial=0))

    def span(self, node: tree_sitter.Node) -> Span:
        return Span(self._file, self._at(node.start_byte), self._at(node.end_byte))

    def _at(self, byte: int) -> int:
        return byte if self._offsets is None else bisect_left(self._offsets, byte)

    def _raw(self, node: tree_sitter.Node) -> str:
        return self.span(node).text

    def body(self, node: tree_sitter.Node, depth: int) -> Body:
        attributes: dict[str, Attribute] = {}
        blocks: list[Block] = []
        for child in node.named_children if depth < _MAX_DEPTH else ():
            if child.type == "attribute":
                attribute = self._attribute(child, depth)
                attributes.setdefault(attribute.name, attribute)
            elif child.type == "block":
                blocks.append(self._block(child, depth))
        return Body(attributes, tuple(blocks))

    def _attribute(self, node: tree_sitter.Node, depth: int) -> Attribute:
        key, value = node.named_children[0], node.named_children[-1]
        return Attribute(self._raw(key), self.span(key), self.span(value), self.expression(value, depth + 1))

    def _block(self, node: tree_sitter.Node, depth: int) -> Block:
        names = [child for child in node.named_children if child.type in ("identifier", "string_lit")]
        body = next((child for child in node.named_children if child.type == "body"), None)
        first, last = self.span(names[0]), self.span(names[-1])
        return Block(
            self._raw(names[0]),
            tuple(self._raw(name).strip('"') for name in names[1:]),
            Span(self._file, first.start, last.end),
            self.body(body, depth + 1) if body else Body({}, ()),
        )

    def expression(self, node: tree_sitter.Node, depth: int) -> Expression:
        if depth > _MAX_DEPTH:
            return Opaque()
        children = [child for child in node.named_children if child.type != "comment"]
        match node.type:
            case "expression" if children and children[0].type == "variable_expr":
                return self._reference(children, depth)
            case "expression" | "literal_value" | "collection_value" | "template_expr" | "operation" if (
                len(children) == 1
            ):
                return self.expression(children[0], depth + 1)
            case "variable_expr":
                return Reference((self._raw(node),))
            case "string_lit" | "quoted_template" | "heredoc_template":
                return self._text(node, depth)
            case "template_interpolation":
                inner = [child for child in children if child.type == "expression"]
                return self.expression(inner[0], depth + 1) if inner else Opaque()
            case "tuple":
                return self._tuple(children, depth)
            case "object":
                return self._object(children, depth)
            case "conditional" if len(children) == 3:
                return Choice(*(self.expression(child, depth + 1) for child in children))
            case "unary_operation" if children and node.children[0].type == "-":
                return Operation("-", Literal(0), self._side(children, depth + 1))
            case "unary_operation" if children:
                return Operation("==", self._side(children, depth + 1), Literal(value=False))
            case "binary_operation":
                return self._binary(node, depth)
            case kind if kind in _LITERALS:
                return _LITERALS[kind](self._raw(node))
            case _:
                return Opaque(self._all(children, depth))

    def _reference(self, children: list[tree_sitter.Node], depth: int) -> Expression:
        path = [self._raw(children[0])]
        whole = True
        for child in children[1:]:
            if child.type == "get_attr":
                path.append(self._raw(child).lstrip(". \t\n"))
            else:
                whole = False
                path.extend(self._raw(one).lstrip(".") for one in _below(child) if one.type == "get_attr")
        return Reference(tuple(path), whole)

    def _text(self, node: tree_sitter.Node, depth: int) -> Expression:
        if node.type == "heredoc_template":  # no name or size is written so
            return Opaque(self._all(node.named_children, depth))
        text, at, end = self._file.text, self.span(node).start + 1, self.span(node).end - 1
        parts: list[Expression] = []
        for child in node.named_children:
            if child.type in ("template_interpolation", "template_directive"):
                place = self.span(child)
                parts += [Literal(_unescape(text[at : place.start])), self.expression(child, depth + 1)]
                at = place.end
        parts = [part for part in (*parts, Literal(_unescape(text[at:end]))) if part != Literal("")]
        if len(parts) == 1:  # "${var.size}" is a number where the variable is one
            return parts[0]
        return Template(tuple(parts)) if parts else Literal("")

    def _all(self, nodes: list[tree_sitter.Node], depth: int) -> tuple[Expression, ...]:
        """Read what stands side by side: the parts of one reference, or expressions."""
        if nodes and nodes[0].type == "variable_expr":
            return (self._reference(nodes, depth),)
        return tuple(self.expression(node, depth + 1) for node in nodes)

    def _tuple(self, children: list[tree_sitter.Node], depth: int) -> Expression:
        items = [child for child in children if child.type not in ("tuple_start", "tuple_end")]
        if any(item.type != "expression" for item in items):
            return Opaque(tuple(self.expression(item, depth + 1) for item in items))
        return Listed(tuple(self.expression(item, depth + 1) for item in items))

    def _object(self, children: list[tree_sitter.Node], depth: int) -> Expression:
        entries: dict[str, Expression] = {}
        whole = True
        for element in children:
            if element.type != "object_elem":
                continue
            pair = [child for child in element.named_children if child.type == "expression"]
            if len(pair) != 2:
                whole = False
                continue
            key = self.expression(pair[0], depth + 1)
            if isinstance(key, Reference) and len(key.path) == 1:
                key = Literal(key.path[0])
            if isinstance(key, Literal):
                entries[str(key.value)] = self.expression(pair[1], depth + 1)
            else:
                whole = False
        return Keyed(entries, whole)

    def _binary(self, node: tree_sitter.Node, depth: int) -> Expression:
        signs = (place for place, child in enumerate(node.children) if not child.is_named and child.type not in "()")
        sign = next(signs, 0)
        sides = [node.children[:sign], node.children[sign + 1 :]]
        return Operation(node.children[sign].type, *(self._side(side, depth + 1) for side in sides))

    def _side(self, nodes: list[tree_sitter.Node], depth: int) -> Expression:
        """Read one side of an operation, whose parts have no node around them."""
        read = self._all([node for node in nodes if node.is_named and node.type != "comment"], depth)
        return read[0] if len(read) == 1 else Opaque(read)


def _number(text: str) -> Literal | Opaque:
    try:
        number = float(text)
    except ValueError:  # hexadecimal, which no size is written in
        return Opaque()
    return Literal(int(number)) if number.is_integer() else Literal(number)


_LITERALS: Mapping[str, Callable[[str], Literal | Opaque]] = {
    "numeric_lit": _number,
    "bool_lit": lambda text: Literal(text == "true"),
    "null_lit": lambda _: Literal(None),
}


def _unescape(text: str) -> str:
    return text.replace("$${", "${").replace('\\"', '"').replace("\\n", "\n") if "\\" in text or "$$" in text else text


def _below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    rest = [node]
    while rest:
        one = rest.pop()
        yield one
        rest.extend(reversed(one.named_children))
