"""Markdown's pieces: tables, and text that is only text on GitHub and GitLab. Knows no report."""

import re
from collections.abc import Iterable, Sequence

from burstctl.report.words.inert import inert

_CHARS = 200
_SPECIAL = re.compile(r"[\\`*{}\[\]#!|~<>&@$^]|(?<!\w)_|_(?!\w)|(?<=\w):(?=//)|(?<=www)\.")
"""What formats, mentions or links; a sign that only does so at a line's start can't stand there."""


def escape(text: str) -> str:
    """Escape a text; as an HTML entity, since a backslash does not keep GitHub from seeing a mention."""
    return _SPECIAL.sub(lambda found: f"&#{ord(found[0])};", inert(text, _CHARS))


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, texts: Sequence[str] = ()) -> str:
    """Make a table whose first column and `texts` stand to the left."""
    rule = ["---" if not place or heading in texts else "---:" for place, heading in enumerate(headings)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (headings, rule, *rows))
