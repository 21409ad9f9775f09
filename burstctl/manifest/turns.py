"""A trickle instead of the burst: so many requests, the entries taking turns. Changes no request's shape."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import ceil

from burstctl.manifest.entry import Entry
from burstctl.plan import Request


def lengthen(entries: Sequence[Entry], total: int) -> list[Entry]:
    """Have each entry that sends anything hold its turns of `total`, rows repeated where there are too few."""
    sending = [entry for entry in entries if entry.planned][:total]
    turns = ceil(total / len(sending)) if sending else 0
    return [replace(entry, count=turns if entry.rows is None else ceil(turns / entry.rows.count)) for entry in sending]


def count_turns(entries: Sequence[Entry], total: int) -> dict[str, int]:
    """Count the requests of each entry that `take_turns` gives."""
    whole, rest = divmod(total, len(entries)) if entries else (0, 0)
    return {entry.name: whole + (place < rest) for place, entry in enumerate(entries)}


def take_turns(entries: Sequence[Entry], starts: Mapping[str, int], run_id: str, total: int) -> Iterator[Request]:
    """Give `total` requests, one of each entry in turn; the entries are long enough."""
    each = (entry.requests(starts[entry.name], run_id) for entry in entries)
    # Rows come in whole rounds: an entry may hold more than its turns.
    return islice((request for turn in zip(*each, strict=False) for request in turn), total)
