"""Decides how a stream may be written to: colour, live display, width. Reads streams and environment only."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

_WIDTH_OF_FILES = 100
_NARROWEST, _WIDEST = 80, 120


class ColorChoice(StrEnum):
    """The words of `--color`."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class ProgressChoice(StrEnum):
    """The words of `--progress`."""

    AUTO = "auto"
    LIVE = "live"
    LINES = "lines"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Appearance:
    """What one stream can bear."""

    color: bool
    redraws: bool
    """Understands cursor movement: a terminal, and not a dumb one."""
    interactive: bool
    """It redraws and somebody watches: not a CI job with a terminal of its own."""
    width: int
    """Columns, from 80 to 120; 100 where the stream is no terminal."""


def inspect(
    stream: TextIO,
    environ: Mapping[str, str],
    color: ColorChoice = ColorChoice.AUTO,
    *,
    terminal_size: Callable[[int], os.terminal_size] = os.get_terminal_size,
) -> Appearance:
    """Look a stream over; the option beats NO_COLOR, which beats FORCE_COLOR and CLICOLOR_FORCE."""
    redraws = _is_terminal(stream) and environ.get("TERM", "").lower() not in ("dumb", "unknown")
    return Appearance(
        color=_wants_color(environ, color, default=redraws),
        redraws=redraws,
        interactive=redraws and environ.get("CI", "").lower() in ("", "false", "0"),
        width=_width(stream, environ, terminal_size),
    )


def choose_progress(choice: ProgressChoice, appearance: Appearance) -> ProgressChoice:
    """Settle `auto`; `live` holds wherever it can be drawn, so never puts cursor codes into a file."""
    if choice is ProgressChoice.AUTO:
        return ProgressChoice.LIVE if appearance.interactive else ProgressChoice.LINES
    if choice is ProgressChoice.LIVE and not appearance.redraws:
        return ProgressChoice.LINES
    return choice


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (ValueError, OSError):  # closed, or gone
        return False


def _wants_color(environ: Mapping[str, str], choice: ColorChoice, *, default: bool) -> bool:
    if choice is not ColorChoice.AUTO:
        return choice is ColorChoice.ALWAYS
    if environ.get("NO_COLOR"):
        return False
    return default or bool(environ.get("FORCE_COLOR") or environ.get("CLICOLOR_FORCE"))


def _width(stream: TextIO, environ: Mapping[str, str], terminal_size: Callable[[int], os.terminal_size]) -> int:
    stated = environ.get("COLUMNS", "")
    columns = int(stated) if stated.isascii() and stated.isdigit() else 0
    if not columns and _is_terminal(stream):
        try:
            columns = terminal_size(stream.fileno()).columns
        except (ValueError, OSError):  # a pseudo-terminal need not know its size
            columns = 0
    return min(max(columns, _NARROWEST), _WIDEST) if columns else _WIDTH_OF_FILES
