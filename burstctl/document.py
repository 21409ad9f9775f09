"""YAML or JSON text as plain values that keep their positions. Knows nothing of what the values mean."""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from burstctl.errors import UsageError
from burstctl.source import Path, Position, Source

MAX_DEPTH = 100
MAX_VALUES = 500_000
"""Aliases expanded: a few lines of nested aliases could stand for billions."""

_STANDARD = "tag:yaml.org,2002:"
_KINDS = ("str", "int", "float", "bool", "null", "timestamp", "map", "seq", "merge", "value")
_TAGS = frozenset(_STANDARD + kind for kind in _KINDS)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPE = re.compile(r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.IGNORECASE)


class DocumentError(UsageError):
    """A text that can't be read as YAML or JSON; `position` is in `source`."""

    def __init__(self, reason: str, source: Source, index: int, hint: str | None = None) -> None:
        self.reason = reason
        self.source = source
        self.position = source.locate(index)
        place = f"{source.name}:{self.position.line}:{self.position.column}"
        super().__init__(f"{place}: {reason}\n{source.excerpt(self.position)}", hint=hint)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value starts, as an index into the text, and where what it holds does."""

    start: int
    plain: bool = False
    """It is a scalar without quotes."""
    keys: Mapping[str, int] = field(default_factory=dict)
    children: Mapping[str | int, "Spot"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was read: `value` holds only dict (text keys), list, str, int, float, bool and None."""

    source: Source
    value: object
    root: Spot

    def position(self, path: Path, *, of_key: bool = False) -> Position:
        """Locate a value, or the key that leads to it; what does not exist is located where it should stand."""
        spot = self.root
        for depth, step in enumerate(path):
            if of_key and depth == len(path) - 1 and step in spot.keys:
                return self.source.locate(spot.keys[str(step)])
            if step not in spot.children:
                break
            spot = spot.children[step]
        return self.source.locate(spot.start)

    def is_plain(self, path: Path) -> bool:
        """Tell whether the scalar at `path` stands there without quotes."""
        spot = self.root
        for step in path:
            spot = spot.children[step]
        return spot.plain


def read_document(data: bytes, name: str) -> Document:
    """Read one YAML or JSON document; a `DocumentError` says what is wrong and where."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        valid = data[: error.start].decode("utf-8-sig")
        hint = "it looks like a binary file" if b"\0" in data else "save the file as UTF-8"
        raise DocumentError("this is not UTF-8 text", Source.of(name, valid), len(valid), hint) from None
    source = Source.of(name, text)
    if found := _UNPRINTABLE.search(text):
        character = "a NUL byte" if found[0] == "\0" else f"the control character U+{ord(found[0]):04X}"
        hint = "it looks like a binary file" if found[0] == "\0" else "write it as an escape in double quotes"
        raise DocumentError(f"{character} can't stand in YAML or JSON", source, found.start(), hint)
    return _Reader(text, source).read()


def resolve_plain(text: str) -> str | int | float | bool | None:
    """Read an unquoted scalar as YAML 1.2 does; numbers as JSON writes them, so `0755` and `12:30` stay text."""
    if text in _WORDS:
        return _WORDS[text]
    match = _NUMBER.fullmatch(text)
    if match is None or len(text) > 300:
        return text
    if match[1] is None and match[2] is None:
        return int(text)
    number = float(text)
    return number if math.isfinite(number) else text


class _Reader:
    """Turns one text into values and spots."""

    __slots__ = ("_budget", "_moved", "_source", "_text")

    def __init__(self, text: str, source: Source) -> None:
        self._text = text
        self._source = source
        self._budget = MAX_VALUES
        self._moved: list[int] = []

    def read(self) -> Document:
        try:
            # The stubs take the C loader for an unrelated type; both have the same methods.
            loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            root = yaml.compose(self._without_surrogates(), Loader=loader)
        except yaml.MarkedYAMLError as error:
            raise self._explain(error) from None
        except RecursionError:  # the C loader has a limit of its own
            raise self._fail(f"deeper than {MAX_DEPTH} levels", 0) from None
        if root is None:
            raise self._fail("the file is empty", 0)
        value, spot = self._construct(root, 0)
        return Document(self._source, value, spot)

    def _without_surrogates(self) -> str:
        r"""Join JSON's `\ud83d\ude00`, which YAML does not know, and note how far that moves what follows."""
        if not self._text.lstrip().startswith("{"):
            return self._text

        def join(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0]
            self._moved.append(match.start() - 2 * len(self._moved))
            character = bytes.fromhex(match[1] + match[2]).decode("utf-16-be")
            return f"\\U{ord(character):08x}"

        return _ESCAPE.sub(join, self._text)

    def _index(self, mark: yaml.Mark) -> int:
        return mark.index + 2 * bisect_right(self._moved, mark.index - 1)

    def _construct(self, node: yaml.Node, depth: int) -> tuple[object, Spot]:
        start = self._index(node.start_mark)
        self._budget -= 1
        if depth > MAX_DEPTH or self._budget < 0:
            limit = f"deeper than {MAX_DEPTH} levels" if depth > MAX_DEPTH else f"more than {MAX_VALUES:,} values"
            raise self._fail(f"{limit}, with aliases expanded", start)
        if node.tag not in _TAGS:
            raise self._fail(f"the tag {node.tag.removeprefix(_STANDARD)} is not allowed", start, "remove the tag")
        if isinstance(node, yaml.MappingNode):
            return self._construct_mapping(node, start, depth)
        if isinstance(node, yaml.SequenceNode):
            items = [self._construct(item, depth + 1) for item in node.value]
            return [value for value, _ in items], Spot(start, children=dict(enumerate(spot for _, spot in items)))
        # A tag such as !!str hides behind quotes or is the one that the text would get anyhow.
        plain = isinstance(node, yaml.ScalarNode) and not node.style
        return resolve_plain(node.value) if plain else node.value, Spot(start, plain)

    def _construct_mapping(self, node: yaml.MappingNode, start: int, depth: int) -> tuple[object, Spot]:
        value: dict[str, object] = {}
        keys: dict[str, int] = {}
        children: dict[str | int, Spot] = {}
        merged: list[tuple[dict[str, object], Spot]] = []
        for key_node, value_node in node.value:
            at = self._index(key_node.start_mark)
            if not isinstance(key_node, yaml.ScalarNode):
                raise self._fail("a key must be text", at, "a text that starts with { or [ needs quotes")
            key = key_node.value
            if key_node.tag == f"{_STANDARD}merge" and not key_node.style:
                merged.extend(self._merge(value_node, depth))
                continue
            if key in keys:
                first = self._source.locate(keys[key])
                raise self._fail(f"the key {key} is there twice", at, f"the first one is on line {first.line}")
            keys[key] = at
            value[key], children[key] = self._construct(value_node, depth + 1)
        for more, spot in merged:
            for key in [key for key in more if key not in value]:
                value[key], keys[key], children[key] = more[key], spot.keys[key], spot.children[key]
        return value, Spot(start, keys=keys, children=children)

    def _merge(self, node: yaml.Node, depth: int) -> Iterator[tuple[dict[str, object], Spot]]:
        """Give the mappings that `<<` names, the strongest first."""
        for source in node.value if isinstance(node, yaml.SequenceNode) else [node]:
            value, spot = self._construct(source, depth + 1)
            if not isinstance(value, dict):
                raise self._fail("<< must name a mapping", self._index(node.start_mark))
            yield value, spot

    def _explain(self, error: yaml.MarkedYAMLError) -> DocumentError:
        mark = error.problem_mark or error.context_mark
        at = self._index(mark) if mark else 0
        position = self._source.locate(at)
        line = self._source.lines[position.line - 1]
        tab = line[: len(line) - len(line.lstrip())].find("\t")
        if tab >= 0:
            return self._fail("a tab can't indent YAML", at - position.column + 1 + tab, "use spaces")
        hint = None
        if "${" in line and "{" in line.replace("${", ""):
            hint = 'inside { } a placeholder needs quotes: {key: "${NAME}"}'
        elif self._text[at : at + 1] in tuple("@`%&*!"):
            hint = "a text that starts with this character needs quotes"
        elif error.context_mark and "flow" in (error.context or ""):
            opened = self._source.locate(self._index(error.context_mark))
            hint = f"is what opens on line {opened.line} ever closed?"
        elif self._text[at : at + 1] == ":":
            hint = 'a text with ": " in it needs quotes'
        return self._fail(f"not valid YAML: {' '.join(filter(None, (error.problem, error.context)))}", at, hint)

    def _fail(self, reason: str, at: int, hint: str | None = None) -> DocumentError:
        return DocumentError(reason, self._source, at, hint)
