"""Rows are read one at a time, from every format alike, and memory does not grow with the file."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.manifest.data import Row, open_rows

fields = st.dictionaries(st.text(max_size=5), st.text(max_size=30) | st.integers() | st.none() | st.lists(st.text()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(fields, max_size=20), st.sampled_from(["\n", "\r\n", "\n\n", " \r\n\t\r\n"]), st.booleans())
def test_json_lines_give_their_objects(tmp_path: Path, rows: list[dict[str, object]], end: str, bom: bool) -> None:
    path = tmp_path / "rows.jsonl"
    text = "".join(json.dumps(row, ensure_ascii=False) + end for row in rows)
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + text.encode())
    found = open_rows(str(path))
    assert [row.value for row in found] == rows
    assert found.count == len(rows)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(fields, max_size=20), st.sampled_from([None, 0, 2]), st.booleans())
def test_a_json_array_gives_its_objects(
    tmp_path: Path, rows: list[dict[str, object]], indent: int | None, bom: bool
) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + json.dumps(rows, indent=indent).encode() + b"\n")
    found = open_rows(str(path))
    assert [row.value for row in found] == rows
    assert found.count == len(rows)


@pytest.mark.parametrize("length", range(2**16 - 40, 2**16 + 40, 7))
def test_an_element_may_stand_across_the_edge_of_a_chunk(tmp_path: Path, length: int) -> None:
    rows = [{"x": "y" * length}, {"x": 'a "quoted" \\ text', "n": [1.5e10, True]}, {"x": "z" * 200_000}, {}]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows))
    assert [row.value for row in open_rows(str(path))] == rows


def test_lines_are_counted_where_rows_start(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('\n[\n {"a":\n 1},\n\n {"a": 2}, {"a": 3}\n]\n')
    (tmp_path / "rows.csv").write_text('a,b\n"x\ny",1\n\nz,2\n')
    (tmp_path / "rows.jsonl").write_text('\n{"a": 1}\n\n{"a": 2}\n')
    lines = {suffix: [row.line for row in open_rows(str(tmp_path / f"rows.{suffix}"))] for suffix in ("json", "jsonl")}
    assert lines == {"json": [3, 6, 6], "jsonl": [2, 4]}
    assert list(open_rows(str(tmp_path / "rows.csv"))) == [
        Row(2, {"a": "x\ny", "b": "1"}),
        Row(5, {"a": "z", "b": "2"}),
    ]


def test_the_values_of_csv_are_text(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_bytes('\ufeffid, name ,q\r\n007,ü,"a, ""b"""\r\n'.encode())
    [row] = open_rows(str(tmp_path / "rows.csv"))
    assert row.value == {"id": "007", "name": "ü", "q": 'a, "b"'}


def as_lines(rows: int) -> str:
    return "".join(f'{{"id": {n}, "text": "{"x" * 50}"}}\n' for n in range(rows))


FORMATS: dict[str, Callable[[int], str]] = {
    "jsonl": as_lines,
    "json": lambda rows: "[" + as_lines(rows).replace("\n", ",\n").rstrip(",\n") + "]",
    "csv": lambda rows: "id,text\n" + "".join(f"{n},{'x' * 50}\n" for n in range(rows)),
}


@pytest.mark.parametrize("suffix", FORMATS)
def test_memory_does_not_grow_with_the_file(tmp_path: Path, suffix: str) -> None:
    rows = 100_000
    path = tmp_path / f"rows.{suffix}"
    path.write_text(FORMATS[suffix](rows))
    assert path.stat().st_size > 5 * 2**20
    tracemalloc.start()
    try:
        found = open_rows(str(path))
        assert sum(1 for row in found if not row.error) == found.count == rows
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**20
