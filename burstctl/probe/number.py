"""Numbers as servers, commands and logs write them. Knows nothing of where they stand."""

import math
import re

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
"""Python's own `float` takes more: `1_0`, `infinity`, digits of other scripts."""


def number(text: str) -> float | None:
    """Read a finite number; None for anything else."""
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if math.isfinite(value) else None
