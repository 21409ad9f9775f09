"""Shows a line of a CI file, with a caret too, but without the secrets that it holds. Knows no finding."""

from collections.abc import Iterable, Sequence

from burstctl.lint.shown import mask, visible
from burstctl.secret import MASK
from burstctl.source import Position, Source, mask_line


def show(source: Source, position: Position, secrets: Iterable[str]) -> str:
    """Give the line and the caret below it; `secrets` are values that must not stand in it."""
    line = source.lines[position.line - 1]
    masked = _masked(line, secrets)
    if masked == line:
        return _inert(source.excerpt(position))
    same = next((i for i, (a, b) in enumerate(zip(line, masked, strict=False)) if a != b), len(masked))
    lines = [*source.lines[: position.line - 1], masked]
    column = position.column if position.column <= same else same + 1
    return _inert(Source(source.name, lines, source.starts).excerpt(Position(position.line, column)))


def show_line(lines: Sequence[str], number: int, secrets: Iterable[str]) -> str:
    """Give a whole line, counted from 1, with its indentation."""
    line = mask_line(lines, number).removesuffix("\r")
    return "\t".join(visible(piece) for piece in _masked(line, secrets).split("\t"))


def _masked(line: str, secrets: Iterable[str]) -> str:
    for secret in secrets:
        line = line.replace(secret, MASK)
    return mask(line)


def _inert(text: str) -> str:
    """Keep log readers from obeying what the line says."""
    return "\n".join(visible(line) for line in text.split("\n"))
