"""Values of a YAML document that know where they stand in its text. Knows no parser and no CI system."""

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from burstctl.light import light
from burstctl.lint import psych
from burstctl.lint.align import after_properties, align
from burstctl.lint.file import Span
from burstctl.lint.psych import Plain

MAX_DEPTH = 150
MAX_VALUES = 200_000
"""GitLab's own limits: 150 levels, 2 MB when parsed."""


@light
class Swap:
    """A piece of a scalar's text that stands for another one in the file."""

    start: int
    end: int
    """In the text as it is read."""
    written_start: int
    written_end: int
    """In the text as it is written."""


@light
class Scalar:
    """A text, number, boolean or null; `text` is as written, without quotes."""

    span: Span
    text: str
    value: Plain
    style: str = ""
    """How it is written: nothing (plain), `'`, `"`, `|` or `>`."""
    unknown: bool = False
    """Some of it is known only when the pipeline runs."""
    asked: bool = False
    """Whoever starts the pipeline may type any other value for some of it."""
    written: str | None = None
    """The text before expressions in it were replaced; None: nothing was."""
    swaps: tuple[Swap, ...] = ()
    """What was replaced, in order."""

    @property
    def as_text(self) -> str:
        """Give what a job's environment holds of it."""
        return psych.to_text(self.value)

    def locate(self, start: int, end: int) -> Span:
        """Find a piece of `text` in the file."""
        written = self.text if self.written is None else self.written
        start, end = as_written(start, self.swaps, last=False), as_written(end, self.swaps, last=True)
        if not self.style and self.span.text == written:
            return Span(self.span.file, self.span.start + start, self.span.start + end)
        if self.style == "|":
            first = self._in_block(written, start)
            return Span(self.span.file, first, self._in_block(written, end - 1) + 1 if end > start else first)
        places = align(written, self.span.file.text, self.span.start, self.style)
        first = places[min(start, len(places) - 1)]
        return Span(self.span.file, first, max(first, places[min(end, len(places)) - 1] + 1 if end > start else first))

    def _in_block(self, written: str, index: int) -> int:
        """Find an index of a literal block's text: its lines stand one by one below the line of its `|`."""
        source = self.span.file.source
        number = written.count("\n", 0, index)
        begin = written.rfind("\n", 0, index) + 1
        stop = written.find("\n", begin)
        length = (len(written) if stop < 0 else stop) - begin
        line = source.locate(after_properties(self.span.file.text, self.span.start)).line + number
        if line >= len(source.lines):
            return self.span.end
        indent = len(source.lines[line].removesuffix("\r")) - length
        return source.starts[line] + max(0, indent) + index - begin


def as_written(index: int, swaps: tuple[Swap, ...], *, last: bool) -> int:
    """Find an index of the text as it is read in the text as it is written; within a swap, its start or end."""
    shift = 0
    for swap in swaps:
        if index < swap.start or (index == swap.start and last):
            break
        if index < swap.end or (index == swap.end and last):
            return swap.written_end if last else swap.written_start
        shift = swap.written_end - swap.end
    return index + shift


@light
class Sequence:
    """A list."""

    span: Span
    items: tuple["Value", ...]

    def __repr__(self) -> str:
        # Aliases may make what it holds endless.
        return f"Sequence({len(self.items)} items)"


@light
class Entry:
    """A key and its value."""

    key: Scalar
    value: "Value"


@light
class Mapping:
    """Entries by the text of their key, in the order of the file."""

    span: Span
    entries: AbstractMapping[str, Entry]

    def __repr__(self) -> str:
        return f"Mapping({', '.join(self.entries)})"

    def get(self, key: str) -> "Value | None":
        """Give a value; None where there is none."""
        entry = self.entries.get(key)
        return entry.value if entry else None


@light
class Tagged:
    """A value with a tag of its own, such as GitLab's `!reference`."""

    span: Span
    tag: str
    value: "Value"


Value = Scalar | Sequence | Mapping | Tagged


class Unreadable(Exception):  # noqa: N818 - it says what the file is
    """A text that is no YAML document that anybody should read."""

    def __init__(self, reason: str, span: Span, hint: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span
        self.hint = hint


def walk(value: Value, limit: int = MAX_VALUES) -> Iterator[Value]:
    """Give a value and all it holds, each shared one once."""
    seen: set[int] = set()
    rest = [value]
    while rest and len(seen) < limit:
        one = rest.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        match one:
            case Mapping():
                rest.extend(entry.value for entry in one.entries.values())
            case Sequence():
                rest.extend(one.items)
            case Tagged():
                rest.append(one.value)
            case Scalar():
                pass
