"""Text as words of a POSIX shell, with variables where secrets stood. Knows no requests."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from burstctl.secret import Redactor

_SHORTEST = 4
"""Shorter values occur by chance in any text."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+", re.ASCII)
_AS_WRITTEN = "/?:@!$&'()*+,;=-._~%"
"""What a path may hold, and its query, without being encoded."""
_SPECIAL_IN_DOUBLE = re.compile(r'[\\"$`!]')


@dataclass(frozen=True, slots=True)
class Variable:
    """A name that the shell fills in."""

    name: str


Piece = str | Variable


class Substitution:
    """Puts variables in the place of their values, in the forms in which those travel."""

    def __init__(self, variables: Iterable[tuple[str, str]], redactor: Redactor) -> None:
        self._redactor = redactor
        self._names: dict[str, str] = {}
        for name, value in variables:
            forms = {
                value.strip(): name,
                json.dumps(value, ensure_ascii=False)[1:-1]: f"{name}_IN_JSON",
                json.dumps(value)[1:-1]: f"{name}_IN_JSON",
                quote(value, safe=""): f"{name}_IN_URL",
                quote(value): f"{name}_IN_URL",
                quote(value, safe=_AS_WRITTEN): f"{name}_IN_URL",
            }
            for form, variable in forms.items():
                if len(form) >= _SHORTEST:
                    self._names.setdefault(form, variable)
            self._names[value.strip()] = name
        self._names = {form: name for form, name in self._names.items() if len(form) >= _SHORTEST}
        ordered = sorted(self._names, key=lambda form: -len(form))
        self._pattern = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def split(self, text: str) -> list[Piece]:
        """Divide a text into what may be shown and variables; whatever else is secret in it is masked."""
        pieces: list[Piece] = []
        end = 0
        for match in self._pattern.finditer(text) if self._pattern is not None else ():
            pieces += [self._redactor.redact(text[end : match.start()]), Variable(self._names[match[0]])]
            end = match.end()
        pieces.append(self._redactor.redact(text[end:]))
        return [piece for piece in pieces if piece != ""]


def word(pieces: Sequence[Piece]) -> str:
    """Write one word of a command line."""
    texts = [piece for piece in pieces if isinstance(piece, str)]
    if len(texts) == len(pieces):
        return _quote("".join(texts))
    if any(_SPECIAL_IN_DOUBLE.search(text) for text in texts):
        return "".join(_quote(piece) if isinstance(piece, str) else f'"${{{piece.name}}}"' for piece in pieces)
    return f'"{"".join(_in_double(pieces))}"'.replace("##", '#""#')


def is_writable(text: str) -> bool:
    """Tell whether a text can stand on a line of a terminal or log as it is."""
    return text.isprintable()


def _in_double(pieces: Sequence[Piece]) -> Iterator[str]:
    for place, piece in enumerate(pieces):
        if isinstance(piece, str):
            yield piece
            continue
        after = pieces[place + 1] if place + 1 < len(pieces) else ""
        joins = isinstance(after, str) and re.match(r"\w", after, re.ASCII)
        yield f"${{{piece.name}}}" if joins else f"${piece.name}"


def _quote(text: str) -> str:
    # CI systems obey `##` and a bracket, anywhere in a line: quotes between the two change nothing but that.
    quoted = text.replace("'", "'\\''").replace("##", "#''#")
    return text if _PLAIN.fullmatch(text) else f"'{quoted}'"
