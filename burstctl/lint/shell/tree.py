"""Reads words and places out of bash syntax trees. Knows the grammar's node types, not what commands do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from burstctl.lint.shell.model import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    import tree_sitter

LOOPS = frozenset({"for_statement", "c_style_for_statement", "while_statement"})
_EXPANSIONS = frozenset(
    {"simple_expansion", "expansion", "command_substitution", "process_substitution", "arithmetic_expansion"}
)
_LONGEST = 4096
_WORDS = _EXPANSIONS | {
    "word",
    "string",
    "raw_string",
    "ansi_c_string",
    "translated_string",
    "concatenation",
    "number",
    "brace_expression",
}


class Text:
    """A script's text, which knows the places of its nodes in characters."""

    __slots__ = ("_index", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._index = _character_index(text)

    def range(self, node: tree_sitter.Node) -> tuple[int, int]:
        """Give a node's place."""
        return self._at(node.start_byte), self._at(node.end_byte)

    def raw(self, node: tree_sitter.Node) -> str:
        """Give a node's text as it is written."""
        return self.text[self._at(node.start_byte) : self._at(node.end_byte)]

    def between(self, first: tree_sitter.Node, last: tree_sitter.Node) -> str:
        """Give the text from one node to another, both included; of a long one its start."""
        start = self._at(first.start_byte)
        return self.text[start : min(self._at(last.end_byte), start + _LONGEST)]

    def word(self, node: tree_sitter.Node) -> Word:
        """Give what a word is worth, its expansions as they are written."""
        static = not any(one.type in _EXPANSIONS for one in below(node))
        return Word(self._unquote(node), *self.range(node), static)

    def words(self, command: tree_sitter.Node) -> tuple[Word, ...]:
        """Give a command's name and arguments."""
        name = command.child_by_field_name("name")
        words = [] if name is None else [self.word(name)]
        words.extend(self.word(child) for child in named(command) if child.type in _WORDS)
        return tuple(words)

    def _unquote(self, node: tree_sitter.Node) -> str:
        """Take off quotes; without recursion, since what is quoted holds none but in parts of a word."""
        parts = []
        rest = [node]
        while rest:
            one = rest.pop()
            text = self.raw(one)
            if one.type in ("command_name", "concatenation"):
                rest.extend(reversed(one.children))
            elif one.type == "string":
                parts.append(re.sub(r'\\(["\\`$])', r"\1", text[1:-1]))
            elif one.type == "raw_string":
                parts.append(text[1:-1])
            elif one.type == "ansi_c_string":
                parts.append(text[2:-1])
            elif one.type == "word":
                parts.append(re.sub(r"\\(.)", r"\1", text))
            else:
                parts.append(text)
        return "".join(parts)

    def _at(self, byte: int) -> int:
        return byte if self._index is None else self._index[min(byte, len(self._index) - 1)]


def named(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """Give a node's named children."""
    return node.named_children


def below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """Give a node and all below it, in the order of the text."""
    rest = [node]
    while rest:
        one = rest.pop()
        yield one
        rest.extend(reversed(one.named_children))


def _character_index(text: str) -> list[int] | None:
    """Map byte offsets to character offsets; None where they are the same."""
    if text.isascii():
        return None
    index: list[int] = []
    for place, character in enumerate(text):
        index.extend([place] * len(character.encode("utf-8", "replace")))
    index.append(len(text))
    return index
