"""Comments that silence findings: `# burstctl: ignore[BL101] reason`. Knows where they count, no rule but its own.

One counts for its own line, for the line below if it stands alone, for a finding whose lines it stands between, for all
of a job on the line of its key, and with `ignore-file` for its whole file. In a script it is a comment of the shell.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from burstctl.finding import Finding
from burstctl.light import field, state
from burstctl.lint.edit import Edit, Fix
from burstctl.lint.file import File, Span
from burstctl.lint.pipeline import Hit
from burstctl.pattern import pattern

CODE = "BL005"
_MARK = "burstctl:"
_COMMENT = pattern(
    r"(?:(?<=\s)|^)(?:#|//)[ \t]*burstctl:[ \t]*ignore(?P<whole>-file)?\b"
    r"(?:\[(?P<codes>[^\]\n]*)\])?(?P<reason>[^\n]*)",
    re.MULTILINE,
)


@state
class Ignore:
    """One comment, and which of its codes have silenced something."""

    span: Span
    codes: tuple[str, ...]
    reason: str
    whole_file: bool
    line: int
    last: int
    """The last line that it is about: the next one that is no comment, where it stands alone."""
    used: set[str] = field(default_factory=set)

    def covers(self, finding: Finding, keys: Mapping[tuple[str, int], str]) -> bool:
        """Tell whether a finding is silenced; `keys` gives the job whose key stands on a line."""
        if finding.code not in self.codes:
            return False
        path = self.span.file.path
        if finding.path == path:
            inside = finding.line <= self.line <= max(finding.line, finding.end_line) and finding.code != "BL001"
            if self.whole_file or inside or self.line <= finding.line <= self.last:
                return True
        if finding.job is not None and finding.job in (keys.get((path, self.line)), keys.get((path, self.last))):
            return True
        origin = finding.origin
        return origin is not None and origin.path == path and self.line <= origin.line <= self.last


def read_ignores(files: Iterable[File]) -> list[Ignore]:
    """Find the comments of files."""
    return [ignore for file in files if _MARK in file.text for ignore in _read(file)]


def silence(
    findings: Sequence[Finding], ignores: Sequence[Ignore], keys: Mapping[tuple[str, int], str]
) -> dict[str, Ignore]:
    """Map the identities of silenced findings to the comments that do it, and mark those as used."""
    silenced: dict[str, Ignore] = {}
    for finding in findings:
        for ignore in ignores:
            if ignore.covers(finding, keys):
                ignore.used.add(finding.code)
                silenced.setdefault(finding.identity, ignore)
    return silenced


def judge(ignores: Iterable[Ignore], known: Collection[str], asked: Collection[str]) -> Iterator[Hit]:
    """Say which comments are of no use: `known` are the codes there are, `asked` those that this run has looked for."""
    for ignore in ignores:
        unknown = [code for code in ignore.codes if code not in known]
        unused = [code for code in ignore.codes if code in asked and code not in ignore.used]
        useless = bool(ignore.codes) and len(unknown) + len(unused) == len(ignore.codes)
        fix = Fix("remove the comment", (Edit(_whole(ignore.span), ""),), safe=True) if useless else None
        if not ignore.codes:
            hint = "name the rules, and say why: # burstctl: ignore[BL101] reason"
            yield Hit(CODE, ignore.span, "this comment names no rule, so it silences nothing", hint=hint)
        for code in unknown:
            yield Hit(CODE, ignore.span, f"there is no rule {code}", key=code, fix=fix)
        for code in unused:
            yield Hit(CODE, ignore.span, f"{code} is not found here, so nothing needs silencing", key=code, fix=fix)
        if ignore.codes and not ignore.reason and not useless:
            yield Hit(CODE, ignore.span, "this comment doesn't say why", hint="write the reason behind the bracket")


def _read(file: File) -> Iterator[Ignore]:
    for match in _COMMENT.finditer(file.text):
        span = Span(file, match.start(), match.end() - len(match[0]) + len(match[0].rstrip()))
        line = span.begins.line
        codes = dict.fromkeys(code.strip() for code in (match["codes"] or "").split(",") if code.strip())
        reason = match["reason"].strip().removesuffix("*/").strip()
        yield Ignore(span, tuple(codes), reason, bool(match["whole"]), line, _last(file, line))


def _last(file: File, line: int) -> int:
    """Give the line that a comment is about: its own, or the next that is neither blank nor a comment."""
    lines = file.source.lines
    while line <= len(lines) and lines[line - 1].lstrip().startswith(("#", "//")):
        line += 1
    return min(line, len(lines))


def _whole(span: Span) -> Span:
    """Widen a comment to all that goes with it: its line, where it stands alone, else the blanks before it."""
    text, start, end = span.file.text, span.start, span.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start and text[start - 1] != "\n":
        return Span(span.file, start, end)
    while end < len(text) and text[end] in " \t\r":
        end += 1
    return Span(span.file, start, end + 1 if end < len(text) else end)
