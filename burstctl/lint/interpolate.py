"""Puts values in place of the expressions in a scalar, and remembers where they stood. Knows no CI system."""

import re
from collections.abc import Callable

from burstctl.light import light, replace
from burstctl.lint.document import Scalar, Swap, as_written


@light
class Piece:
    """What an expression stands for."""

    text: str
    unknown: bool = False
    asked: bool = False


def interpolate(
    scalar: Scalar, expression: re.Pattern[str], meaning: Callable[[re.Match[str]], Piece | None]
) -> Scalar:
    """Give a scalar with its expressions replaced; those without a meaning stay as they are written."""
    parts: list[str] = []
    swaps: list[Swap] = []
    source, at, length, unknown, asked = scalar.text, 0, 0, scalar.unknown, scalar.asked
    for match in expression.finditer(source):
        piece = meaning(match)
        if piece is None:
            continue
        unknown, asked = unknown or piece.unknown, asked or piece.asked
        parts += [source[at : match.start()], piece.text]
        length += match.start() - at
        swaps.append(Swap(length, length + len(piece.text), match.start(), match.end()))
        length += len(piece.text)
        at = match.end()
    if not swaps:
        return scalar
    text = "".join(parts) + source[at:]
    written = source if scalar.written is None else scalar.written
    both = _over(scalar.swaps, swaps) if scalar.swaps else tuple(swaps)
    return replace(scalar, text=text, value=text, unknown=unknown, asked=asked, written=written, swaps=both)


def _over(earlier: tuple[Swap, ...], later: list[Swap]) -> tuple[Swap, ...]:
    """Join what was replaced before with what is replaced in the outcome of that."""
    kept = [
        replace(one, start=one.start + shift, end=one.end + shift)
        for one in earlier
        if not any(other.written_start < one.end and one.start < other.written_end for other in later)
        for shift in [_shift(one.start, later)]
    ]
    found = [
        replace(
            one,
            written_start=as_written(one.written_start, earlier, last=False),
            written_end=as_written(one.written_end, earlier, last=True),
        )
        for one in later
    ]
    return tuple(sorted((*kept, *found), key=lambda one: one.start))


def _shift(index: int, swaps: list[Swap]) -> int:
    """Tell by how much the swaps before an index move it."""
    before = [one for one in swaps if one.written_end <= index]
    return before[-1].end - before[-1].written_end if before else 0


def masked(text: str) -> str:
    """Give a shell variable, as long as a text, that nobody sets; the names within stay readable."""
    return "$" + re.sub(r"[^A-Za-z0-9_]", "_", text[1:])
