"""A named text: its positions, and excerpts that are safe to print. Knows how credentials look, not what is wrong."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from burstctl.light import light
from burstctl.pattern import pattern
from burstctl.secret import MASK, is_secret_name

Path = tuple[str | int, ...]
"""The keys and indices that lead from the root of a document to a value."""

_WIDTH = 68
_BEFORE = 40
"""Characters kept before the caret in a line that is too long."""

_ENTRY = pattern(
    r"""(?P<key>["']?(?P<name>[\w.-]+)["']?\s*:\s*)(?P<value>"(?:[^"\\]|\\.)*"?|'(?:[^']|'')*'?|[^\s"'].*)"""
)
_KEY = pattern(r"""[\s-]*["']?(?P<name>[\w.-]+)["']?\s*:(?:\s|$)""")
_USER_INFO = pattern(r"""(\w+:/{1,3})?[^\s"'@/][^\s"']*@""")


@light
class Position:
    """A place in a text; line and column count from 1."""

    line: int
    column: int


@light
class Source:
    """A text in lines; only line feeds end one, as editors count them."""

    name: str
    lines: Sequence[str]
    starts: Sequence[int]

    @classmethod
    def of(cls, name: str, text: str) -> "Source":
        lines = text.split("\n")
        return cls(name, lines, list(accumulate((len(line) + 1 for line in lines), initial=0)))

    def locate(self, index: int) -> Position:
        """Turn an index into the text into line and column."""
        line = min(bisect_right(self.starts, index), len(self.lines))
        return Position(line, index - self.starts[line - 1] + 1)

    def excerpt(self, position: Position) -> str:
        """Show a line with a caret under the position; credentials are masked, long lines cut."""
        source = self.lines[position.line - 1].rstrip()
        shown = mask_line(self.lines, position.line).rstrip()
        # Past a mask the columns mean nothing any more: the caret stays at its start.
        same = next((i for i, (a, b) in enumerate(zip(source, shown, strict=False)) if a != b), len(shown))
        caret = position.column - 1 if source == shown else min(position.column - 1, same)
        cut = caret - _BEFORE if len(shown) > _WIDTH and caret > _BEFORE else 0
        if cut:
            shown = "…" + shown[cut + 1 :]
        if len(shown) > _WIDTH:
            shown = shown[: _WIDTH - 1] + "…"
        text = "".join(c if c.isprintable() else " " for c in shown)
        gutter = " " * len(str(position.line))
        return f"{position.line} | {text}\n{gutter} | {' ' * (caret - cut)}^"


def mask_line(lines: Sequence[str], line: int) -> str:
    """Mask the values of credential-like keys and the user info of URLs in one line, counted from 1."""
    source = lines[line - 1]
    if any(is_secret_name(name) for name in _enclosing_keys(lines, line)):
        return source[: _indent(source)] + MASK
    try:
        return mask_user_info(_ENTRY.sub(_mask_entry, source))
    except RecursionError:  # hundreds of mappings in one line: nobody could read it, and nothing of it is safe to show
        return source[: _indent(source)] + MASK


def mask_user_info(text: str) -> str:
    """Mask whatever stands before an @, as a URL's user info does; in broken URLs too."""
    return _USER_INFO.sub(lambda match: f"{match[1] or ''}{MASK}@", text)


def _mask_entry(match: re.Match[str]) -> str:
    value = match["value"]
    if not is_secret_name(match["name"]):
        # `headers: {authorization: …}`: the value may hold entries of its own.
        return match["key"] + _ENTRY.sub(_mask_entry, value)
    quote = value[0] if value[0] in "\"'" else ""
    return f"{match['key']}{quote}{MASK}{quote}"


def _enclosing_keys(lines: Sequence[str], line: int) -> Iterator[str]:
    """Give the keys under which a line stands by its indentation, the innermost first."""
    indent = _indent(lines[line - 1])
    for above in reversed(lines[: line - 1]):
        if above.strip() and _indent(above) < indent:
            indent = _indent(above)
            if match := _KEY.match(above):
                yield match["name"]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
