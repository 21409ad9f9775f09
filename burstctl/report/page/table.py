"""A table that scrolls within itself where the page is narrow, and says what it leaves out. Knows no figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from burstctl.report.page.markup import Child, Markup, block, lines, tag


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what it is about, then its cells."""

    head: Child
    cells: Sequence[Child]
    kind: str | None = None
    """`good`, `bad` or `doubt`, where a line is to stand out."""


def table(
    label: str, headings: Sequence[str], rows: Iterable[Row], *, texts: Sequence[str] = (), fit: bool = False
) -> Markup:
    """Make a table; cells stand to the right but those under a heading of `texts`.

    `fit`: on a phone it becomes as narrow as the page, since its cells may wrap.
    """
    kinds = ["t" if place == 0 or heading in texts else None for place, heading in enumerate(headings)]
    head = tag(
        "tr", *(tag("th", heading, scope="col", class_=kind) for heading, kind in zip(headings, kinds, strict=True))
    )
    body = (
        tag(
            "tr",
            tag("th", row.head, scope="row", class_="t"),
            *(tag("td", cell, class_=kind) for cell, kind in zip(row.cells, kinds[1:], strict=True)),
            class_=row.kind,
        )
        for row in rows
    )
    made = block("table", tag("thead", head), block("tbody", *body), class_="fit" if fit else None)
    # To be scrolled with the keyboard it must be reachable with it.
    return tag("div", made, class_="scroll", tabindex=0, role="region", aria_label=label)


def and_more(left_out: int, what: str) -> Markup:
    """Say how many did not find room; nothing where all did."""
    return tag("p", f"and {left_out:,} more {what}", class_="soft") if left_out > 0 else lines(())
