"""Colour, interactivity and width, decided from environment and streams alone."""

import io
import os
from collections.abc import Mapping

import pytest

from burstctl.cli.console import ColorChoice, ProgressChoice, choose_progress, inspect


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1


def sized(columns: int) -> os.terminal_size:
    return os.terminal_size((columns, 24))


@pytest.mark.parametrize(
    ("terminal", "environ", "choice", "color"),
    [
        (True, {}, "auto", True),
        (False, {}, "auto", False),
        (True, {"TERM": "dumb"}, "auto", False),
        (True, {"NO_COLOR": "1"}, "auto", False),
        (True, {"NO_COLOR": ""}, "auto", True),
        (False, {"FORCE_COLOR": "1"}, "auto", True),
        (False, {"CLICOLOR_FORCE": "1"}, "auto", True),
        (False, {"FORCE_COLOR": ""}, "auto", False),
        (True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, "auto", False),
        (False, {"NO_COLOR": "1"}, "always", True),
        (True, {"FORCE_COLOR": "1"}, "never", False),
        (False, {"CI": "true"}, "auto", False),
    ],
)
def test_colour(terminal: bool, environ: Mapping[str, str], choice: str, color: bool) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert inspect(stream, environ, ColorChoice(choice)).color is color


@pytest.mark.parametrize(
    ("terminal", "environ", "choice", "mode"),
    [
        (True, {}, "auto", "live"),
        (False, {}, "auto", "lines"),
        (False, {"FORCE_COLOR": "1"}, "auto", "lines"),
        (True, {"CI": "true"}, "auto", "lines"),
        (True, {"CI": "false"}, "auto", "live"),
        (True, {"CI": "0"}, "auto", "live"),
        (True, {"CI": ""}, "auto", "live"),
        (True, {"CI": "true"}, "live", "live"),
        (True, {"TERM": "dumb"}, "auto", "lines"),
        (True, {"TERM": "dumb"}, "live", "lines"),
        (False, {}, "live", "lines"),
        (True, {}, "lines", "lines"),
        (True, {}, "off", "off"),
        (False, {}, "off", "off"),
    ],
)
def test_progress_is_live_only_where_it_can_be_drawn(
    terminal: bool, environ: Mapping[str, str], choice: str, mode: str
) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert choose_progress(ProgressChoice(choice), inspect(stream, environ)) == mode


@pytest.mark.parametrize(
    ("terminal", "environ", "columns", "width"),
    [
        (True, {}, 97, 97),
        (True, {}, 300, 120),
        (True, {}, 40, 80),
        (True, {}, 0, 100),
        (True, {"COLUMNS": "90"}, 200, 90),
        (False, {"COLUMNS": "90"}, 200, 90),
        (False, {"COLUMNS": "wide"}, 200, 100),
        (False, {}, 200, 100),
    ],
)
def test_width(terminal: bool, environ: Mapping[str, str], columns: int, width: int) -> None:
    stream = Terminal() if terminal else io.StringIO()
    assert inspect(stream, environ, terminal_size=lambda _: sized(columns)).width == width


def test_a_closed_stream_is_no_terminal() -> None:
    closed = io.StringIO()
    closed.close()
    assert not inspect(closed, {}).redraws


def test_a_terminal_without_a_size_is_as_wide_as_a_file() -> None:
    def unknown(_: int) -> os.terminal_size:
        raise OSError

    assert inspect(Terminal(), {}, terminal_size=unknown).width == 100
