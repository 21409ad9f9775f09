"""Turns YAML text into values, with the merge and duplicate rules of its reader. Knows no CI system.

Built from parser events, without recursion: aliases share one value, so a bomb of them costs nothing until it is
walked.
"""

from __future__ import annotations

from collections.abc import Callable

import yaml

from burstctl.light import field, light, state
from burstctl.lint import psych
from burstctl.lint.document import MAX_DEPTH, MAX_VALUES, Entry, Mapping, Scalar, Sequence, Tagged, Unreadable, Value
from burstctl.lint.file import File, Span
from burstctl.lint.psych import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@light
class Clash:
    """A key that lost against another one of its mapping."""

    key: Scalar
    lost: Span
    """The key whose value has no effect."""
    by_merge: bool
    """It lost against a later `<<`, not against a second key of its name."""


_STANDARD = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset({f"{_STANDARD}str", "!str"})
"""Only these count: other tags of a scalar are as good as none."""


@light
class Schema:
    """How one reader of YAML understands what the standard leaves open."""

    resolve: Callable[[str], Plain]
    """Gives the value of an unquoted scalar."""
    late_merge_wins: bool
    """`<<` counts where it stands, so it beats keys before it; else explicit keys always win."""


PSYCH = Schema(psych.resolve, late_merge_wins=True)


@light
class Documents:
    """All documents of one file."""

    roots: tuple[Value, ...]
    clashes: tuple[Clash, ...]
    merges: tuple[Scalar, ...] = ()
    """The `<<` of all its mappings."""
    tagged: bool = False
    """Some value has a tag of its own."""


@state
class _Open:
    """A collection whose end has not come yet."""

    start: int
    tag: str | None
    anchor: str | None
    is_mapping: bool
    flow: bool
    """Written in brackets."""
    items: list[Value] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Scalar | None = None
    is_text_key: bool = False
    """The key is marked as a text, so that `<<` means no merge."""
    merged: set[str] = field(default_factory=set)


def read_yaml(file: File, schema: Schema = PSYCH, *, text: str | None = None) -> Documents:
    """Read a file's documents; `Unreadable` says what is wrong and where.

    `text` replaces the file's where something had to be hidden from the parser, and is equally long.
    """
    return _Builder(file, schema, file.text if text is None else text).read()


class _Builder:
    """Turns one file's events into values."""

    __slots__ = (
        "_anchors",
        "_clashes",
        "_count",
        "_file",
        "_last",
        "_merges",
        "_open",
        "_roots",
        "_schema",
        "_tagged",
        "_text",
    )

    def __init__(self, file: File, schema: Schema, text: str) -> None:
        self._file = file
        self._text = text
        self._schema = schema
        self._open: list[_Open] = []
        self._anchors: dict[str, Value | _Open] = {}
        self._roots: list[Value] = []
        self._clashes: list[Clash] = []
        self._merges: list[Scalar] = []
        self._count = 0
        self._last = 0
        self._tagged = False

    def read(self) -> Documents:
        try:
            # The stubs take the C loader for an unrelated type; both have the same methods.
            loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            for event in yaml.parse(self._text, Loader=loader):
                self._take(event)
        except yaml.MarkedYAMLError as error:
            # What never ends is shown where it begins.
            endless = "end of stream" in (error.problem or "") and error.context_mark
            mark = endless or error.problem_mark or error.context_mark
            reason = " ".join(filter(None, (error.problem, error.context)))
            raise self._fail(f"not valid YAML: {reason}", mark.index if mark else 0) from None
        except yaml.reader.ReaderError as error:
            raise self._fail(f"not valid YAML: {error.reason}", max(error.position, 0)) from None
        return Documents(tuple(self._roots), tuple(self._clashes), tuple(self._merges), self._tagged)

    def _take(self, event: Any) -> None:
        match event:
            case yaml.ScalarEvent():
                self._place(self._scalar(event), event.anchor, is_text=event.tag in _TEXT_TAGS)
            case yaml.AliasEvent():
                self._place(self._aliased(event), None, aliased=True)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                is_mapping = isinstance(event, yaml.MappingStartEvent)
                flow = bool(event.flow_style)
                self._open.append(_Open(_start(event), event.tag, event.anchor, is_mapping, flow))
                if event.anchor:
                    self._anchors[event.anchor] = self._open[-1]
                if len(self._open) > MAX_DEPTH:
                    raise self._fail(f"nested deeper than {MAX_DEPTH} levels", _start(event))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                done = self._open.pop()
                # An anchor of the same name within has taken its place.
                own = done.anchor is not None and self._anchors[done.anchor] is done
                self._place(self._close(done, _end(event)), done.anchor if own else None)
            case yaml.DocumentStartEvent():
                self._anchors.clear()

    def _scalar(self, event: Any) -> Scalar:
        start, end = _start(event), _end(event)
        style = event.style or ""
        text: str = event.value
        if style in ("|", ">"):
            end = start + len(self._file.text[start:end].rstrip())
        self._last = end
        # Quotes make a text only where no tag stands.
        quoted = event.implicit[1] or event.tag in _TEXT_TAGS
        value = text if quoted else self._schema.resolve(text)
        return Scalar(Span(self._file, start, end), text, value, style)

    def _aliased(self, event: Any) -> Value:
        at = _start(event)
        self._last = _end(event)
        if event.anchor not in self._anchors:
            raise self._fail(f"the alias *{event.anchor} has no anchor in this file", at)
        value = self._anchors[event.anchor]
        if isinstance(value, _Open):
            raise self._fail(f"the alias *{event.anchor} stands inside its own anchor", at)
        return value

    def _close(self, done: _Open, end: int) -> Value:
        # The parser counts blank lines and comments below a block to it.
        self._last = end if done.flow else max(done.start, self._last)
        span = Span(self._file, done.start, self._last)
        value: Value = Mapping(span, done.entries) if done.is_mapping else Sequence(span, tuple(done.items))
        if done.tag and not done.tag.startswith(_STANDARD):
            self._tagged = True
            return Tagged(span, done.tag, value)
        return value

    def _place(self, value: Value, anchor: str | None, *, aliased: bool = False, is_text: bool = False) -> None:
        """Put a value where it belongs: into the open collection, or at the root."""
        self._grow(1, value)
        if anchor:
            self._anchors[anchor] = value
        if not self._open:
            self._roots.append(value)
            return
        holder = self._open[-1]
        if not holder.is_mapping:
            holder.items.append(value)
        elif holder.key is None:
            holder.key = value if isinstance(value, Scalar) else _odd_key(value)
            holder.is_text_key = is_text
        else:
            key, holder.key = holder.key, None
            self._enter(holder, key, value, aliased=aliased)

    def _enter(self, holder: _Open, key: Scalar, value: Value, *, aliased: bool) -> None:
        sources = _mergeable(value, aliased=aliased) if key.text == "<<" and not holder.is_text_key else None
        if sources is not None:
            self._merges.append(key)
            merged: dict[str, Entry] = {}
            for source in reversed(sources):
                merged.update(source.entries)
            self._grow(len(merged), key)
            for name, entry in merged.items():
                self._merge_one(holder, key, name, entry)
            return
        if key.text in holder.entries and key.text not in holder.merged:
            self._clashes.append(Clash(key, holder.entries[key.text].key.span, by_merge=False))
        holder.merged.discard(key.text)
        holder.entries[key.text] = Entry(key, value)

    def _merge_one(self, holder: _Open, merge_key: Scalar, name: str, entry: Entry) -> None:
        if name in holder.entries and name not in holder.merged:
            mine = holder.entries[name]
            if not self._schema.late_merge_wins or _equal(mine.value, entry.value):
                return
            self._clashes.append(Clash(Scalar(merge_key.span, name, name), mine.key.span, by_merge=True))
        holder.entries[name] = entry
        holder.merged.add(name)

    def _grow(self, count: int, value: Value) -> None:
        self._count += count
        if self._count > MAX_VALUES:
            raise self._fail(f"more than {MAX_VALUES:,} values", value.span.start)

    def _fail(self, reason: str, index: int) -> Unreadable:
        line = self._file.source.locate(min(index, len(self._file.text))).line
        text = self._file.source.lines[line - 1]
        hint = "use spaces: a tab can't indent YAML" if "\t" in text[: len(text) - len(text.lstrip())] else None
        return Unreadable(reason, Span(self._file, index, index + 1), hint)


def _start(event: Any) -> int:
    return int(event.start_mark.index)


def _end(event: Any) -> int:
    return int(event.end_mark.index)


def _mergeable(value: Value, *, aliased: bool) -> list[Mapping] | None:
    """Give the mappings that a `<<` names, the strongest first; None where it is an ordinary key.

    A list counts only where it stands, not by an alias.
    """
    candidates = value.items if isinstance(value, Sequence) and not aliased else (value,)
    mappings = [one for one in candidates if isinstance(one, Mapping)]
    return mappings if len(mappings) == len(candidates) else None


def _equal(one: Value, other: Value) -> bool:
    """Tell whether it makes no difference which of the two counts."""
    return one is other or (isinstance(one, Scalar) and isinstance(other, Scalar) and one.text == other.text)


def _odd_key(value: Value) -> Scalar:
    """Give a list or mapping that stands as a key by its text."""
    return Scalar(value.span, value.span.text, value.span.text, "'")
