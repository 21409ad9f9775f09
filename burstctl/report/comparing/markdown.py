"""A comparison as Markdown: for comments on merge requests. Knows no files; escapes as the report of a run does."""

from burstctl.comparison import Comparison
from burstctl.gate import Result
from burstctl.report.words.inert import disarm_lines
from burstctl.report.words.markdown import escape, table
from burstctl.report.words.side_by_side import HEADINGS, cells

NAME = "markdown"

_MARKS = {Result.PASS: "✅", Result.FAIL: "❌", Result.INCONCLUSIVE: "⚠️"}


def render(comparison: Comparison) -> str:
    """Write the comparison."""
    reasons = comparison.reasons or ("nothing got worse by more than is allowed",)
    rows = ([*map(escape, cells(row)), _MARKS[row.result] if row.allowed else ""] for row in comparison.rows)
    parts = [
        f"### {_MARKS[comparison.result]} burstctl comparison: {comparison.result}",
        "  \n".join(map(escape, reasons)),
        table(HEADINGS, rows),
        "\n".join(
            f"- {escape(text)}"
            for text in (f"base {comparison.base_file}, new {comparison.new_file}", *comparison.notes)
        ),
    ]
    return disarm_lines("\n\n".join(parts) + "\n")
