"""A comparison for people: verdict first, then both runs side by side. Knows no files."""

from burstctl.comparison import Comparison
from burstctl.gate import Result
from burstctl.report.words.inert import disarm_lines, inert
from burstctl.report.words.side_by_side import HEADINGS, cells

NAME = "terminal"

_WORDS = {Result.PASS: "", Result.FAIL: "worse", Result.INCONCLUSIVE: "undecided"}


def render(comparison: Comparison) -> str:
    """Write the summary, for a terminal or a log; plain text."""
    reasons = comparison.reasons or ("nothing got worse by more than is allowed",)
    word = comparison.result.upper()
    lines = [f"{word if not place else ' ' * len(word)}  {inert(reason)}" for place, reason in enumerate(reasons)]
    rows = [HEADINGS, *([*cells(row), _WORDS[row.result]] for row in comparison.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines.append("")
    for row in rows:
        first, *rest = (
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(["", first, *rest]).rstrip())
    lines += ["", f"  base {inert(comparison.base_file)}, new {inert(comparison.new_file)}"]
    lines += [f"  {inert(note)}" for note in comparison.notes]
    return disarm_lines("\n".join(lines) + "\n")
