"""Repairs files by the edits of findings, and shows what that changes. Knows no rule."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from burstctl.errors import UsageError
from burstctl.light import light
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.excerpt import show_line
from burstctl.lint.file import File
from burstctl.lint.result import Result
from burstctl.lint.shown import visible

_BOM = b"\xef\xbb\xbf"


@light
class Repair:
    """One file as it was and as it becomes."""

    file: File
    text: str
    titles: tuple[str, ...]
    """What was done, as orders."""


def repair(result: Result, *, unsafe: bool) -> list[Repair]:
    """Apply the fixes of all findings that are shown; of two that touch, the second waits for the next run."""
    chosen: list[Fix] = []
    for finding in result.findings:
        fix = result.fixes.get(finding.identity)
        if fix is not None and (fix.safe or unsafe) and fix not in chosen and not _touches(fix, chosen):
            chosen.append(fix)
    files = {edit.span.file.path: edit.span.file for fix in chosen for edit in fix.edits}
    return [_repaired(files[path], chosen) for path in sorted(files)]


def write(repairs: Sequence[Repair], root: str | os.PathLike[str]) -> None:
    """Write the files, each whole or not at all; `UsageError` for one that has changed since it was read."""
    for one in repairs:
        place = Path(root, one.file.path).resolve()
        try:
            data = place.read_bytes()
            bom = _BOM if data.startswith(_BOM) else b""
            if data[len(bom) :] != one.file.text.encode():
                raise UsageError(f"{visible(one.file.path)} has changed while it was checked", hint="run lint again")
            _replace(place, bom + one.text.encode())
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            raise UsageError(f"can't write {visible(one.file.path)}: {reason}") from None


def diff(repairs: Sequence[Repair], result: Result) -> str:
    """Show repairs as a unified diff, without the secrets of the lines around them."""
    return "".join(line for one in repairs for line in _diff(one, result.secrets))


def _touches(fix: Fix, chosen: Sequence[Fix]) -> bool:
    taken = [edit.span for one in chosen for edit in one.edits]
    return any(
        edit.span.file.path == span.file.path and edit.span.start <= span.end and span.start <= edit.span.end
        for edit in fix.edits
        for span in taken
    )


def _repaired(file: File, chosen: Sequence[Fix]) -> Repair:
    mine = [fix for fix in chosen if any(edit.span.file.path == file.path for edit in fix.edits)]
    edits = [edit for fix in mine for edit in fix.edits if edit.span.file.path == file.path]
    text = file.text
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + _with_line_ends(edit, file.text) + text[edit.span.end :]
    return Repair(file, text, tuple(dict.fromkeys(fix.title for fix in mine)))


def _with_line_ends(edit: Edit, text: str) -> str:
    """Write line ends as the file does."""
    return edit.text.replace("\n", "\r\n") if "\r\n" in text else edit.text


def _replace(place: Path, data: bytes) -> None:
    import tempfile  # loads more than all else that lint needs

    handle, staged = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(staged).chmod(stat.S_IMODE(place.stat().st_mode))
        Path(staged).replace(place)
    except OSError:
        Path(staged).unlink(missing_ok=True)
        raise


def _diff(one: Repair, secrets: Sequence[str]) -> Iterator[str]:
    from difflib import unified_diff

    path = visible(one.file.path)
    before, after = (
        [show_line(lines, number, secrets) + "\n" for number in range(1, len(lines) + 1)]
        for lines in (one.file.text.split("\n"), one.text.split("\n"))
    )
    return unified_diff(before, after, f"a/{path}", f"b/{path}")
