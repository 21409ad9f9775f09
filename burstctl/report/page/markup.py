"""HTML that can't be broken out of: text becomes harmless where it enters, and only `tag` makes tags. Knows no report.

The same rules give well-formed XML within an SVG.
"""

import html
from collections.abc import Iterable
from dataclasses import dataclass

from burstctl.report.words.inert import inert

_TEXT_CHARS = 500
_VOID = {"meta", "br"}


@dataclass(frozen=True, slots=True)
class Markup:
    """A piece of the page. Whatever is not one is text."""

    source: str


Child = Markup | str


def tag(name: str, /, *children: Child, **attributes: str | float | None) -> Markup:
    """Make an element; `class_` and `stroke_width` stand for class and stroke-width, None leaves an attribute out.

    Text is cut where it is longer than any reader wants; attributes are not, since they hold drawings.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(inert(str(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{''.join(map(_source, children))}</{name}>")


def block(name: str, /, *children: Child, **attributes: str | float | None) -> Markup:
    """Make an element whose children each have a line of their own."""
    return tag(name, Markup("\n"), lines(children), Markup("\n"), **attributes)


def lines(children: Iterable[Child]) -> Markup:
    """Put pieces one below the other in the source."""
    return Markup("\n".join(_source(child) for child in children))


def raw(source: str) -> Markup:
    """Take what the project itself has written as markup."""
    return Markup(source)


def cut(text: str, chars: int) -> str:
    """Give text of at most so many characters."""
    return inert(text, chars)


def _source(child: Child) -> str:
    return child.source if isinstance(child, Markup) else _text(child)


def _text(text: str) -> str:
    return html.escape(inert(text, _TEXT_CHARS))
