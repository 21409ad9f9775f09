"""Typed access to a JSON document that says where something is not as expected. Knows no report."""

import math
from collections.abc import Iterator

from burstctl.errors import UsageError

_MOST = 2**53


class Node:
    """A value of a document with its place; every reader raises `UsageError` with file, key and what was expected."""

    __slots__ = ("_file", "_path", "_value")

    def __init__(self, value: object, file: str, path: str = "") -> None:
        self._value, self._file, self._path = value, file, path

    def __getitem__(self, key: str) -> "Node":
        """Give a key's value."""
        if not isinstance(self._value, dict):
            raise self._unexpected("an object")
        if key not in self._value:
            raise UsageError(f"{self._file}: {self._at(key)} is missing", hint="was it written by this version?")
        return Node(self._value[key], self._file, self._at(key))

    def get(self, key: str, otherwise: object = None) -> "Node":
        """Give a key's value, or `otherwise` where it is absent."""
        if isinstance(self._value, dict) and key not in self._value:
            return Node(otherwise, self._file, self._at(key))
        return self[key]

    def items(self) -> Iterator[tuple[str, "Node"]]:
        if not isinstance(self._value, dict):
            raise self._unexpected("an object")
        return ((key, Node(value, self._file, self._at(key))) for key, value in self._value.items())

    def list(self) -> "list[Node]":
        if not isinstance(self._value, list):
            raise self._unexpected("a list")
        return [Node(value, self._file, f"{self._path}[{place}]") for place, value in enumerate(self._value)]

    def mapping(self) -> dict[str, object]:
        """Give an object as it is."""
        return {key: node._value for key, node in self.items()}

    @property
    def absent(self) -> bool:
        return self._value is None

    def text(self) -> str:
        if not isinstance(self._value, str):
            raise self._unexpected("text")
        return self._value

    def flag(self) -> bool:
        if not isinstance(self._value, bool):
            raise self._unexpected("true or false")
        return self._value

    def count(self) -> int:
        """Give a whole number that is not negative, and that every reader of JSON can hold."""
        if not isinstance(self._value, int) or isinstance(self._value, bool) or not 0 <= self._value <= _MOST:
            raise self._unexpected("a count")
        return self._value

    def number(self) -> float:
        try:
            number = float(self._value) if isinstance(self._value, int | float) else math.nan
        except OverflowError:
            number = math.inf
        if isinstance(self._value, bool) or not math.isfinite(number):
            raise self._unexpected("a number")
        return number

    def maybe_number(self) -> float | None:
        return None if self.absent else self.number()

    def refuse(self, why: str) -> UsageError:
        """Give the error that says what is wrong with this value."""
        return UsageError(f"{self._file}: {self._path}: {why}")

    def _at(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key

    def _unexpected(self, what: str) -> UsageError:
        where = f"{self._path}: " if self._path else ""
        return UsageError(f"{self._file}: {where}expected {what}", hint="give a file that --report json=… wrote")
