"""Puts values in place of the expressions in a scalar, and remembers where they stood. Knows no CI system."""

import re
from collections.abc import Callable

from burstctl.light import light, replace
from burstctl.lint.document import Scalar, Swap


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
    written, at, length, unknown, asked = scalar.text, 0, 0, scalar.unknown, scalar.asked
    for match in expression.finditer(written):
        piece = meaning(match)
        if piece is None:
            continue
        unknown, asked = unknown or piece.unknown, asked or piece.asked
        parts += [written[at : match.start()], piece.text]
        length += match.start() - at
        swaps.append(Swap(length, length + len(piece.text), match.start(), match.end()))
        length += len(piece.text)
        at = match.end()
    if not swaps:
        return scalar
    text = "".join(parts) + written[at:]
    return replace(scalar, text=text, value=text, unknown=unknown, asked=asked, written=written, swaps=tuple(swaps))


def masked(text: str) -> str:
    """Give a shell variable, as long as a text, that nobody sets; the names within stay readable."""
    return "$" + re.sub(r"[^A-Za-z0-9_]", "_", text[1:])
