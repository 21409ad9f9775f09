"""Removes the reports of earlier runs where a run can't even read its options. Knows how those name files, no more."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from burstctl.cli.outputs import STDOUT

_OUTPUTS = ("--report", "--responses")
_LARGEST = 8 * 2**20


def discard_stale(command: str, arguments: Sequence[str], environ: Mapping[str, str]) -> None:
    """Remove the files that the outputs of a command line name, but none that it, or a file on it, names otherwise.

    A pipeline that goes on after a mistyped option must not find the report of yesterday's run in its place.
    """
    outputs, others = _divide(arguments)
    for option in _OUTPUTS:
        variable = f"BURSTCTL_{command}{option.removeprefix('-').replace('-', '_')}".upper()
        outputs += [(option, line.strip()) for line in environ.get(variable, "").splitlines() if line.strip()]
    named = b"\n".join(_read(text) for text in others)
    for option, value in outputs:
        path = Path(value.partition("=")[2] if option == "--report" else value)
        if str(path) in ("", ".", STDOUT) or path.name.encode() in named:
            continue
        try:
            if path.is_file() and not path.is_symlink():
                path.unlink()
        except OSError:  # the usage error that is about to be shown is the one that matters
            continue


def _divide(arguments: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Divide a command line into the outputs' values and all other words."""
    outputs: list[tuple[str, str]] = []
    others: list[str] = []
    words: Iterator[str] = iter(arguments)
    for word in words:
        option, equals, value = word.partition("=")
        if option not in _OUTPUTS:
            others.append(word)
        elif equals:
            outputs.append((option, value))
        else:
            outputs.append((option, next(words, "")))
    return outputs, others


def _read(word: str) -> bytes:
    """Give a word and, if it names a file such as the manifest, what that holds."""
    try:
        path = Path(word)
        return word.encode() + (path.read_bytes() if path.is_file() and path.stat().st_size <= _LARGEST else b"")
    except (OSError, ValueError):
        return word.encode("utf-8", "surrogateescape")
