"""Which recipes a `make` runs, and that their places stay right."""

from pathlib import Path

import pytest

from burstctl.lint.document import Scalar
from burstctl.lint.file import File, Span
from burstctl.lint.follow.make import read_make
from burstctl.lint.job import Job, Script
from burstctl.lint.load import Scene
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings
from burstctl.lint.shell.parse import parse

MAKEFILE = """\
URL ?= http://m.example
SPEED := 5  # gentle
.PHONY: all load
all: load check
load: prepare
\t@hey -q $(SPEED) $(URL)/predict
prepare:
\t-echo $$HOME
check:
\tpytest
other:
\twrk $(URL)
"""


def recipes(tmp_path: Path, command: str, makefile: str = MAKEFILE) -> tuple[str, dict[str, str]] | None:
    span = Span(File.of("x", command), 0, len(command))
    script = Script.of((Scalar(span, command, command),), "script")
    shell = parse(command)
    scene = Scene(Job("j", span, ()), script, shell, Settings(), Project(tmp_path.resolve(), {"Makefile": makefile}))
    found = read_make(scene, shell.commands[0])
    return None if found is None else (found[0].text, found[2])


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("make load", ["hey", "echo"]),
        ("make", ["hey", "echo", "pytest"]),
        ("make -j 4 other", ["wrk"]),
        ("make check other", ["pytest", "wrk"]),
        ("make missing", None),
    ],
)
def test_a_target_runs_with_all_that_it_needs(tmp_path: Path, command: str, runs: list[str] | None) -> None:
    found = recipes(tmp_path, command)
    assert (None if found is None else [one.name for one in parse(found[0]).commands]) == runs


def test_recipes_keep_their_places(tmp_path: Path) -> None:
    found = recipes(tmp_path, "make load")
    assert found is not None
    text, given = found
    assert len(text) == len(MAKEFILE)
    assert text.index("hey") == MAKEFILE.index("hey")
    assert "${SPEED} ${URL}/predict" in text
    assert given["SPEED"] == "5"


def test_the_command_line_beats_the_makefile(tmp_path: Path) -> None:
    found = recipes(tmp_path, "make load SPEED=9")
    assert found is not None
    assert found[1]["SPEED"] == "9"


def test_targets_that_need_each_other_end(tmp_path: Path) -> None:
    found = recipes(tmp_path, "make a", "a: b\n\techo a\nb: a\n\techo b\n")
    assert found is not None
    assert found[0].split() == ["echo", "a", "echo", "b"]
