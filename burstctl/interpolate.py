"""Compose interpolation: `${NAME}` resolved once, `${row.x}` left to fill per request. Knows no manifest key."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from burstctl.source import Path

_VARIABLE = re.compile(r"(?P<name>[A-Za-z_][A-Za-z0-9_]*)(?P<operator>:?[-?])?")
_PER_REQUEST = re.compile(r"(row(?:\.[^{}]+)?|index|uuid)\}")
_SPECIAL = re.compile(r"[$}]")
_FORMS = "${NAME}, ${NAME:-default}, ${NAME:?message}, ${row.field}, ${index} or ${uuid}; a literal ${ is written $${"

Reader = Callable[[object, int], object]
"""From a data row and the request's index to a value; raises `MissingFieldError`."""


class MissingFieldError(LookupError):
    """A row has no such field; the message names it."""


class _RefusedError(ValueError):
    """A scalar can't be resolved: why, and what to do."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What only a request's turn can tell: `row`, `row.field`, `index` or `uuid`."""

    name: str

    @property
    def reads_row(self) -> bool:
        return self.name.startswith("row")

    def reader(self, make_uuid: Callable[[int], str]) -> Reader:
        """Compile the access to the value."""
        if self.name == "index":
            return lambda _row, index: index
        if self.name == "uuid":
            return lambda _row, index: make_uuid(index)
        field = self.name.removeprefix("row").removeprefix(".")
        return _field_reader(field) if field else lambda row, _index: row


@dataclass(frozen=True, slots=True)
class Template:
    """A scalar that depends on environment or request, the environment's part resolved."""

    parts: tuple[str | Placeholder, ...]
    """No two texts side by side, none empty."""
    plain: bool = False
    """It stood there without quotes."""

    @property
    def constant(self) -> str | None:
        """The text, if nothing is left to fill."""
        if not self.parts:
            return ""
        first = self.parts[0]
        return first if len(self.parts) == 1 and isinstance(first, str) else None

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    def text_reader(self, make_uuid: Callable[[int], str]) -> Callable[[object, int], str]:
        """Compile the filling: each value as text, what is not text as JSON."""
        readers = [part if isinstance(part, str) else part.reader(make_uuid) for part in self.parts]

        def fill(row: object, index: int) -> str:
            return "".join([r if isinstance(r, str) else as_text(r(row, index)) for r in readers])

        return fill


@dataclass(frozen=True, slots=True)
class Use:
    """A value of the environment, and where it went."""

    name: str
    value: str
    path: Path


@dataclass(frozen=True, slots=True)
class Unresolved:
    """A scalar that can't be resolved: why, and what to do."""

    path: Path
    reason: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Interpolated:
    """A document's value with a `Template` in place of each scalar that holds a placeholder."""

    value: object
    uses: tuple[Use, ...]
    unresolved: tuple[Unresolved, ...]
    names: frozenset[str] = frozenset()
    """Every variable that is named, set or not."""


@dataclass(frozen=True, slots=True)
class _Variable:
    name: str
    operator: str
    operand: "tuple[_Part, ...]"


_Part = str | Placeholder | _Variable


def interpolate(value: object, environ: Mapping[str, str], is_plain: Callable[[Path], bool]) -> Interpolated:
    """Resolve every scalar of a document, never a key; what can't be resolved stays empty and is reported."""
    uses: list[Use] = []
    unresolved: list[Unresolved] = []
    names: set[str] = set()

    def walk(value: object, path: Path) -> object:
        if isinstance(value, dict):
            return {key: walk(item, (*path, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item, (*path, position)) for position, item in enumerate(value)]
        if not isinstance(value, str) or "$" not in value:
            return value
        try:
            parsed = _Parser(value).parse()
            names.update(_names(parsed))
            if all(isinstance(part, str) for part in parsed):
                return "".join(map(str, parsed))
            used: list[tuple[str, str]] = []
            parts = _join(_resolve(parsed, environ, used))
        except _RefusedError as refused:
            unresolved.append(Unresolved(path, *refused.args))
            return Template(())
        uses.extend(Use(name, text, path) for name, text in used)
        return Template(parts, is_plain(path))

    return Interpolated(walk(value, ()), tuple(uses), tuple(unresolved), frozenset(names))


def as_text(value: object) -> str:
    """Write a row's value into a text: text as it is, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _names(parts: Iterable[_Part]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, _Variable):
            yield part.name
            yield from _names(part.operand)


def _resolve(
    parts: Iterable[_Part], environ: Mapping[str, str], used: list[tuple[str, str]]
) -> Iterator[str | Placeholder]:
    for part in parts:
        if not isinstance(part, _Variable):
            yield part
            continue
        value = environ.get(part.name)
        if value is not None and not (part.operator.startswith(":") and not value):
            if not _is_unicode(value):
                raise _RefusedError(f"the environment variable {part.name} is not UTF-8 text")
            used.append((part.name, value))
            yield value
        elif part.operator.endswith("-"):
            yield from _resolve(part.operand, environ, used)
        else:
            state = "not set" if value is None else "empty"
            message = "".join(p for p in _resolve(part.operand, environ, []) if isinstance(p, str))
            raise _RefusedError(
                f"the environment variable {part.name} is {state}",
                message or f"set it, pass --var {part.name}=VALUE, or give a default: ${{{part.name}:-default}}",
            )


def _is_unicode(text: str) -> bool:
    # The interpreter keeps bytes that it can't decode as surrogates, which nothing can encode.
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _join(parts: Iterable[str | Placeholder]) -> tuple[str | Placeholder, ...]:
    joined: list[str | Placeholder] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part:
            joined.append(part)
    return tuple(joined)


def _field_reader(field: str) -> Reader:
    steps = field.split(".")

    def read(row: object, _index: int) -> object:
        # A key with a dot in it, as a CSV header may be, goes before the way down.
        if isinstance(row, dict) and field in row:
            return row[field]
        value = row
        for step in steps:
            if isinstance(value, dict) and step in value:
                value = value[step]
            elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            else:
                raise MissingFieldError(f"the row has no field {field}")
        return value

    return read


class _Parser:
    """Reads one scalar."""

    __slots__ = ("_at", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def parse(self, *, nested: bool = False) -> tuple[_Part, ...]:
        """Read up to the end; nested, up to the brace that closes."""
        parts: list[_Part] = []
        while self._at < len(self._text):
            if self._take("$$"):
                parts.append("$")
            elif self._take("${"):
                parts.append(self._placeholder())
            elif nested and self._take("}"):
                return tuple(parts)
            else:
                # One character at least: a lone $, or a brace that closes nothing.
                end = _SPECIAL.search(self._text, self._at + 1)
                stop = end.start() if end else len(self._text)
                parts.append(self._text[self._at : stop])
                self._at = stop
        if nested:
            raise _RefusedError("a ${ is never closed", f"expected {_FORMS}")
        return tuple(parts)

    def _placeholder(self) -> _Part:
        if match := _PER_REQUEST.match(self._text, self._at):
            self._at = match.end()
            return Placeholder(match[1])
        match = _VARIABLE.match(self._text, self._at)
        if match is None or match["name"] == "row":
            raise self._bad()
        self._at = match.end()
        operator = match["operator"] or ""
        if not operator and self._text[self._at : self._at + 1] not in ("}", ""):
            raise self._bad()
        return _Variable(match["name"], operator, self.parse(nested=True))

    def _bad(self) -> _RefusedError:
        start = self._text.rindex("${", 0, self._at + 1)
        shown = self._text[start : start + 20]
        return _RefusedError(f"{shown!r} is no placeholder", f"expected {_FORMS}")

    def _take(self, token: str) -> bool:
        if not self._text.startswith(token, self._at):
            return False
        self._at += len(token)
        return True
