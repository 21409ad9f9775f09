"""Data files as rows, read lazily: memory does not grow with the file. Knows nothing of what the rows fill."""

import codecs
import csv
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TextIO

from pydantic_core import from_json

from burstctl.manifest.problem import RejectedError

_CHUNK = 2**16
_LARGEST = 2**26
"""Characters that one element of a `.json` array may have."""
_LONGEST_WORD = 16
"""More characters than any literal, escape or separator has."""
_BLANKS = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its line in the file, from 1, and its fields, or why there are none."""

    line: int
    value: dict[str, object]
    error: str = ""


@dataclass(frozen=True, slots=True)
class Rows:
    """A data file whose rows were counted."""

    path: str
    count: int

    def __iter__(self) -> Iterator[Row]:
        return _READERS[Path(self.path).suffix.lower()](self.path)


def check_suffix(path: str) -> None:
    """Refuse a file that is of no known format."""
    if Path(path).suffix.lower() not in _READERS:
        raise RejectedError(f"expected a data file that ends in {', '.join(_READERS)}, found {path}")


def open_rows(path: str) -> Rows:
    """Count a file's rows; a `RejectedError` says what makes it unreadable as a whole."""
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".jsonl":  # lines need no parsing to be counted
            with Path(path).open("rb") as file:
                return Rows(path, sum(not _is_blank(line) for line in file))
        return Rows(path, sum(1 for _ in _READERS[suffix](path)))
    except RejectedError as error:
        raise RejectedError(f"{path}{error}", error.hint) from None
    except OSError as error:
        raise RejectedError(f"{path} can't be read: {error.strerror}") from None


def _read_lines(path: str) -> Iterator[Row]:
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            if not _is_blank(line):
                yield _parse_line(number, line.removeprefix(codecs.BOM_UTF8) if number == 1 else line)


def _is_blank(line: bytes) -> bool:
    return line.isspace() or line.strip() == codecs.BOM_UTF8


def _parse_line(number: int, line: bytes) -> Row:
    try:
        value = from_json(line, allow_inf_nan=False)
    except ValueError as error:
        # The row's line is always its first: only the column tells anything.
        return Row(number, {}, "is not valid JSON: " + str(error).replace("at line 1 column", "at column"))
    return _to_row(number, value)


def _to_row(number: int, value: object) -> Row:
    if not isinstance(value, dict):
        return Row(number, {}, "is not a JSON object ({…})")
    return Row(number, value)


def _read_array(path: str) -> Iterator[Row]:
    with Path(path).open(encoding="utf-8-sig") as file:
        try:
            for line, value in _elements(file):
                yield _to_row(line, value)
        except UnicodeDecodeError:
            raise RejectedError(" is not UTF-8 text", "save the file as UTF-8") from None


def _elements(file: TextIO) -> Iterator[tuple[int, object]]:
    """Parse an array element by element; holds one chunk, or one element where that is larger."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
    text, at, line = file.read(_CHUNK), 0, 1

    def skip_blanks() -> str:
        """Go to the next character that means something and give it; empty at the end of the file."""
        nonlocal text, at, line
        while True:
            end = _BLANKS.match(text, at).end()  # type: ignore[union-attr]  # it matches nothing, too
            line += text.count("\n", at, end)
            at = end
            if at < len(text):
                return text[at]
            text, at = file.read(_CHUNK), 0
            if not text:
                return ""

    if skip_blanks() != "[":
        raise RejectedError(" is not a JSON array of objects", "rows of one object a line belong into a .jsonl file")
    at += 1
    if skip_blanks() != "]":
        while True:
            skip_blanks()
            value, end, text, at = _decode(decoder, file, text, at, line)
            yield line, value
            line += text.count("\n", at, end)
            at = end
            separator = skip_blanks()
            if separator == "]":
                break
            if separator != ",":
                raise RejectedError(f":{line} is not valid JSON: expected , or ] after an element")
            at += 1
    at += 1
    if skip_blanks():
        raise RejectedError(f":{line} is not valid JSON: there is more after the array")


def _decode(decoder: json.JSONDecoder, file: TextIO, text: str, at: int, line: int) -> tuple[object, int, str, int]:
    """Decode the element at `at`, reading on until it is whole; gives it, its end, and the text moved on."""
    while True:
        # Only words are kept of a fault: the exception itself would hold the text, and a cycle the exception.
        reason, is_cut = "the array is never closed", True
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError as error:
            reason = error.msg
            # More text can mend the fault only where it lies at the very end.
            is_cut = error.msg.startswith("Unterminated") or error.pos >= len(text) - _LONGEST_WORD
        except (ValueError, RecursionError) as error:
            reason, is_cut = str(error), False
        else:
            # A number that ends with the text may go on in what is not read yet.
            if end < len(text):
                return value, end, text, at
        more = file.read(max(_CHUNK, len(text) - at)) if is_cut and len(text) - at < _LARGEST else ""
        if not more:
            raise RejectedError(f":{line} is not valid JSON: {reason}")
        text, at = text[at:] + more, 0


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):  # 1e999 can be read, and not be written again
        raise ValueError(f"{text} is too large a number")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _read_csv(path: str) -> Iterator[Row]:
    # Bytes that are no UTF-8 become surrogates: they then break their row and not the whole file.
    with Path(path).open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        reader = csv.reader(file, strict=True)
        header: list[str] | None = None
        while True:
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as error:
                if header is None:
                    raise RejectedError(f":{line} is not valid CSV: {error}") from None
                yield Row(line, {}, f"is not valid CSV: {error}")
                continue
            if cells is None:
                break
            if not cells:
                continue
            if header is None:
                header = _check_header(cells)
            else:
                yield _parse_cells(line, header, cells)
        if header is None:
            raise RejectedError(" is empty", "the first line of a .csv file names the fields")


def _check_header(cells: list[str]) -> list[str]:
    names = [cell.strip() for cell in cells]
    if not all(names) or len(set(names)) < len(names):
        raise RejectedError(":1 is no header: each field needs a name of its own")
    return names


def _parse_cells(line: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) != len(header):
        return Row(line, {}, f"has {len(cells)} fields, the header has {len(header)}")
    if not all(cell.isascii() or _is_text(cell) for cell in cells):
        return Row(line, {}, "is not UTF-8 text")
    return Row(line, dict(zip(header, cells, strict=True)))


def _is_text(cell: str) -> bool:
    return not any("\udc80" <= character <= "\udcff" for character in cell)


_READERS: dict[str, Callable[[str], Iterator[Row]]] = {
    ".jsonl": _read_lines,
    ".json": _read_array,
    ".csv": _read_csv,
}
