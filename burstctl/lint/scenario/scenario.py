"""What a scenario file says of the load that it describes. Knows no format."""

import re

from burstctl.light import light
from burstctl.lint.file import Span


@light
class Scenario:
    """What bounds the load that a file describes."""

    path: str | None = None
    """Below the project's root; None for one that the script has written itself."""
    limited: bool = False
    rate_per_s: float | None = None
    span: Span | None = None
    """Where the rate stands."""
    targets: tuple[str, ...] = ()
    single: bool = False
    """It sends no more than a request or two, unless the command line says otherwise."""
    per_user_per_s: float | None = None
    """The rate of each user: to be multiplied by their number."""
    endless: bool = False
    parallel: bool = False
    """It sends many requests at once."""
    inference: bool = False


def without_comments(text: str) -> str:
    """Blank out the comments of JavaScript, XML and the like; all else keeps its place."""
    return re.sub(
        r"(?<![*\w])/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|(?<![:\"'`\\])//[^\n]*",
        lambda match: re.sub(r"[^\n]", " ", match[0]),
        text,
        flags=re.DOTALL,
    )
