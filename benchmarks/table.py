"""A measure's outcome as Markdown: a table and the targets it was held to. Knows nothing of how it was measured."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Target:
    """What burstctl must reach."""

    text: str
    observed: str
    held: bool


@dataclass(frozen=True, slots=True)
class Table:
    """What was measured."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    targets: Sequence[Target] = ()

    @property
    def held(self) -> bool:
        return all(target.held for target in self.targets)

    def render(self) -> str:
        """Write Markdown: the first column is text, the others are figures."""
        lines = [self.heads, ["---", *["---:"] * (len(self.heads) - 1)], *self.rows]
        text = "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
        verdicts = (
            f"- {'held' if target.held else '**missed**'}: {target.text}; observed {target.observed}\n"
            for target in self.targets
        )
        return f"{text}\n{''.join(verdicts)}"


def write_into(document: Path, measure: str, rendered: str) -> None:
    """Replace what stands between a measure's two markers in a document."""
    begin, end = f"<!-- {measure} -->\n", f"<!-- /{measure} -->"
    text = document.read_text()
    if begin not in text or end not in text:
        raise ValueError(f"{document} has no markers for {measure}")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    document.write_text(pattern.sub(lambda _: f"{begin}\n{rendered}\n{end}", text))
