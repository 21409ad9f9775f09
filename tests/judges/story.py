"""The README's table of how bursts ended: a row for each run. Knows neither servers nor how a burst is sent."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

_HEADS = ("service", "how sent", "took", "queue at most", "p95", "failed", "429, 503", "exit code")
_BEGIN, _END = "<!-- story -->\n", "<!-- /story -->"


@dataclass(frozen=True, slots=True)
class Row:
    """One run."""

    service: str
    sent: str
    took_s: float
    queue: int
    """The most requests that waited at a time, as the service itself counted."""
    p95_ms: int
    failed: int
    refused: int
    """Answers 429 and 503."""
    code: int

    @property
    def what(self) -> tuple[str, str, int]:
        """Tell what is the same in every telling."""
        return self.service, self.sent, self.code


def read_rows(document: Path) -> list[Row]:
    """Read what stands between the two markers."""
    _, table, _ = _parts(document)
    return [_row(line) for line in table.splitlines()[2:]]


def write_rows(document: Path, rows: Iterable[Row], services: Sequence[str]) -> None:
    """Put rows in the place of those of the same services, in the services' order."""
    told = {service: [row for row in read_rows(document) if row.service == service] for service in services}
    told |= {row.service: [] for row in rows}
    for row in rows:
        told[row.service].append(row)
    before, _, after = _parts(document)
    cells = [_HEADS, ["---", "---", *["---:"] * (len(_HEADS) - 2)]]
    cells += [_cells(row) for rows_of_one in told.values() for row in rows_of_one]
    table = "".join(f"| {' | '.join(line)} |\n" for line in cells)
    document.write_text(f"{before}{_BEGIN}\n{table}\n{_END}{after}", encoding="utf-8")


def _parts(document: Path) -> tuple[str, str, str]:
    before, rest = document.read_text(encoding="utf-8").split(_BEGIN)
    table, after = rest.split(_END)
    return before, table.strip(), after


def _cells(row: Row) -> list[str]:
    figures = [f"{row.took_s:.1f} s", f"{row.queue:,}", f"{row.p95_ms:,} ms", f"{row.failed:,}", f"{row.refused:,}"]
    return [row.service, row.sent, *figures, str(row.code)]


def _row(line: str) -> Row:
    service, sent, *figures = (cell.strip() for cell in line.strip("| ").split("|"))
    took_s, *counts = (float(re.sub(r"[^\d.]", "", figure)) for figure in figures)
    return Row(service, sent, took_s, *map(int, counts))
