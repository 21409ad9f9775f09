"""The hint at a name that was meant. Knows nothing of what is named."""

from collections.abc import Sequence
from difflib import get_close_matches


def suggest_name(name: str, names: Sequence[str], without: str = "") -> str:
    """Hint at the name that was meant, or at all there are; `without` says what holds where there are none."""
    close = get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"names: {', '.join(dict.fromkeys(names))}" if names or not without else without
