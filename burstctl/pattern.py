"""Regular expressions that are compiled when they are first used: in most runs of a command most are not."""

import re

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


class _Waiting:
    """A pattern in the guise of a compiled one, which it takes its methods from at the first use."""

    __slots__ = ("_flags", "_text", *_METHODS)

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Give a regular expression to find things with; what else it offers is not there."""
    return _Waiting(text, flags)  # type: ignore[return-value]  # it has the methods that callers use
