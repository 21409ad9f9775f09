"""Finds blocks and texts in a Jenkinsfile, without understanding Groovy. Knows no step by name."""

import re
from collections.abc import Iterator

from burstctl.light import light
from burstctl.pattern import pattern

_TOKEN = pattern(
    r"(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>'''(?P<a>(?:\\.|(?!''').)*)'''|\"\"\"(?P<b>(?:\\.|(?!\"\"\").)*)\"\"\""
    r"|'(?P<c>(?:\\.|[^'\\\n])*)'|\"(?P<d>(?:\\.|[^\"\\\n])*)\")"
    r"|(?P<open>\{)|(?P<close>\})|(?P<word>[A-Za-z_]\w*)|(?P<sign>[^\s\w])",
    re.DOTALL,
)
MAX_TOKENS = 200_000


@light
class Token:
    """A word, a sign, or a quoted text; offsets are into the file."""

    kind: str
    """`word`, `sign`, `text`, `open` or `close`."""
    text: str
    """What stands between the quotes, as it is written."""
    start: int
    end: int
    """Of that."""
    expands: bool = False
    """In double quotes: Groovy puts values in."""


def tokens(text: str) -> Iterator[Token]:
    """Give all tokens but comments."""
    for count, match in enumerate(_TOKEN.finditer(text)):
        if count >= MAX_TOKENS:
            return
        kind = match.lastgroup or ""
        inner = next((name for name in "abcd" if match[name] is not None), None)
        if match["comment"] is not None:
            continue
        if inner is not None:
            yield Token("text", match[inner], match.start(inner), match.end(inner), expands=inner in "bd")
        else:
            yield Token(kind, match[0], match.start(), match.end())
