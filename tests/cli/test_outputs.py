"""Report files: whole or not at all, never stale, never over an input, never through a link."""

import io
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from burstctl.cli.outputs import Outputs, Wanted
from burstctl.errors import UsageError


def outputs(*wanted: Wanted) -> Outputs:
    return Outputs(wanted, io.StringIO())


def saying(text: str) -> Callable[[str], str]:
    return lambda name: f"{name}: {text}"


def test_a_report_takes_its_place_at_the_end_and_its_predecessor_goes_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "burst.json"
    path.write_text("stale")
    out = outputs(Wanted("json", str(path)))
    out.open()
    assert path.exists()
    out.clear([])
    assert not path.exists()
    assert out.write(saying("new")) == []
    assert path.read_text() == "json: new"
    out.close()
    assert [one.name for one in tmp_path.iterdir()] == ["burst.json"]


def test_a_run_that_did_not_start_leaves_neither_a_report_nor_litter(tmp_path: Path) -> None:
    path = tmp_path / "burst.json"
    path.write_text("stale")
    out = outputs(Wanted("json", str(path)))
    out.open()
    out.clear_unless_named_in(b"version: 1")
    out.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_broken_manifest_names_is_not_taken_for_a_stale_report(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("precious")
    out = outputs(Wanted("json", str(rows)))
    out.open()
    out.clear_unless_named_in(b"requests: [{data: rows.jsonl")
    out.close()
    assert rows.read_text() == "precious"


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    manifest = tmp_path / "burst.yaml"
    manifest.write_text("precious")
    (tmp_path / "link.yaml").hardlink_to(manifest)
    for path in (manifest, tmp_path / "." / "burst.yaml", tmp_path / "link.yaml"):
        out = outputs(Wanted("json", str(path)))
        out.open()
        with pytest.raises(UsageError, match="is an input"):
            out.clear([str(manifest)])
        out.close()
    assert manifest.read_text() == "precious"


@pytest.mark.parametrize(
    ("path", "message"), [("missing/burst.json", "no such file or directory"), (".", "is a directory")]
)
def test_a_path_that_cannot_be_written_is_named_at_the_start(tmp_path: Path, path: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        outputs(Wanted("json", str(tmp_path / path))).open()


def test_two_reports_cannot_share_a_path(tmp_path: Path) -> None:
    path = str(tmp_path / "burst")
    with pytest.raises(UsageError, match="two reports"):
        outputs(Wanted("json", path), Wanted("terminal", path)).open()


def test_a_symbolic_link_is_replaced_not_followed(tmp_path: Path) -> None:
    victim, link = tmp_path / "victim", tmp_path / "burst.json"
    victim.write_text("precious")
    link.symlink_to(victim)
    out = outputs(Wanted("json", str(link)))
    out.open()
    out.write(saying("new"))
    assert victim.read_text() == "precious"
    assert link.read_text() == "json: new"


def test_if_one_report_cannot_be_written_the_others_say_so_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "burst.json"
    out = outputs(Wanted("json", str(path)), Wanted("terminal", "/dev/full"))
    out.open()
    assert out.write(saying("pass")) == ["/dev/full: no space left on device"]
    out.write_rest(saying("inconclusive"))
    assert path.read_text() == "json: inconclusive"
    assert Path("/dev/full").is_char_device()
    out.close()


def test_a_broken_standard_output_is_a_report_that_could_not_be_written(tmp_path: Path) -> None:
    path, stdout = tmp_path / "burst.json", io.StringIO()
    stdout.close()
    out = Outputs([Wanted("json", "-"), Wanted("json", str(path))], stdout)
    out.open()
    assert len(out.write(saying("pass"))) == 1
    out.write_rest(saying("inconclusive"))
    assert path.read_text() == "json: inconclusive"


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    out = outputs(Wanted("json", str(link)))
    out.open()
    out.clear([])
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert out.write(saying("new")) == []
    assert os.read(reader, 100) == b"json: new"
    os.close(reader)
    assert link.is_symlink()
    assert pipe.is_fifo()


def test_a_streamed_report_has_its_place_before_the_run_and_only_the_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "burst.ndjson"
    path.write_text("stale")
    out = outputs(Wanted("ndjson", str(path), streamed=True), Wanted("json", str(tmp_path / "burst.json")))
    out.open()
    out.clear([])
    out.place_streamed()
    assert path.read_text() == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("line\n")
    assert out.write(saying("new")) == []
    out.close()
    assert path.read_text() == "line\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["burst.json", "burst.ndjson"]
