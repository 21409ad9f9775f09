"""The book of who holds which part of the ceiling: one turn is one pure step. Knows neither files nor sockets.

`ledger.lua` takes the same steps inside Redis; a test holds the two side by side.
"""

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field

from burstctl.pace.share.protocol import (
    AHEAD_US,
    LOCK_US,
    LONGEST_LEASE_US,
    LONGEST_US,
    MOST_MEMBERS,
    Answer,
    Ask,
    LostError,
    MismatchError,
)
from burstctl.pace.share.terms import US, Terms


@dataclass(slots=True)
class Entry:
    """One job."""

    serial: int
    expires_us: int
    held: int
    wanted: int
    window: int
    window_wanted: int


@dataclass(slots=True)
class Ledger:
    """Times in microseconds of the ledger's own clock. Permits held and free are always all there are."""

    terms: Terms
    free_us: list[int]
    """When each permit that nobody holds may be used, ascending."""
    members: dict[str, Entry] = field(default_factory=dict)
    locked_until_us: int = 0
    base_latency_us: int = 0
    paused_until_us: int = 0
    cut_serial: int = 0
    cut_milli: int = 0
    hold_until_us: int = 0

    @property
    def is_sound(self) -> bool:
        """Tell whether the numbers can be true, wherever they were read."""
        held = sum(entry.held for entry in self.members.values())
        counts = [n for one in self.members.values() for n in (one.held, one.wanted, one.window, one.window_wanted)]
        return (
            held + len(self.free_us) == self.terms.permits
            and min(counts, default=0) >= 0
            and sum(entry.window for entry in self.members.values()) <= self.terms.window
            and self.free_us == sorted(self.free_us)
        )


def take_turn(book: Ledger | None, ask: Ask, terms: Terms, now_us: int) -> tuple[Ledger, Answer]:
    """Book one ask. `MismatchError` where other jobs keep to other terms, `book` being unchanged but for the dead."""
    if book is not None:
        _expire(book, now_us)
        if book.terms != terms and book.members:
            raise MismatchError
    if book is None or book.terms != terms:
        # Whoever holds permits already may have used them a moment ago, and others theirs.
        book = Ledger(terms, [now_us + (terms.period_us if ask.held else 0)] * terms.permits)
    entry = book.members.get(ask.member)
    if entry is not None and ask.serial <= entry.serial:
        return book, _answer(book, ask, entry, 0, 0, (), now_us)
    if entry is None and len(book.members) >= MOST_MEMBERS:
        raise LostError("too many jobs share one ceiling")
    entry = book.members[ask.member] = _register(book, ask, entry, now_us)
    if ask.leaves:
        _release(book, [now_us + terms.period_us] * entry.held)
        entry.held = entry.window = entry.wanted = entry.window_wanted = 0
        del book.members[ask.member]
        _learn(book, ask, now_us)
        return book, _answer(book, ask, entry, 0, 0, (), now_us)
    names = sorted(book.members)
    place = names.index(ask.member)
    entries = [book.members[name] for name in names]
    shift = now_us // max(terms.period_us, US)
    targets = fill(terms.permits, [one.wanted for one in entries], shift)
    target = targets[place]
    window_target = fill(terms.window, [one.window_wanted for one in entries], shift)[place]
    spare = terms.window - sum(one.window for one in entries)
    entry.window += max(0, min(window_target - entry.window, spare))
    grants: tuple[int, ...] = ()
    if now_us >= book.locked_until_us:
        short = [max(0, part - one.held) for part, one in zip(targets, entries, strict=True)]
        ready = bisect_right(book.free_us, now_us + AHEAD_US)
        # Others that are short of permits get theirs of the same moments: all of them can then be used at once.
        taken = spread(ready, min(short[place], -(-ready * short[place] // max(1, sum(short)))))
        grants = tuple(max(0, book.free_us[i] - now_us) for i in taken)
        for i in reversed(taken):
            del book.free_us[i]
    entry.held += len(grants)
    _learn(book, ask, now_us)
    return book, _answer(book, ask, entry, target, window_target, grants, now_us)


def fill(total: int, wanted: Sequence[int], shift: int) -> list[int]:
    """Divide fairly: nobody gets more than it wants, what one leaves the others get; a remainder goes round."""
    count, left = len(wanted), total
    parts = list(wanted)
    order = sorted(range(count), key=lambda i: (wanted[i], (i + shift) % count))
    for behind, i in enumerate(order):
        level = left // (count - behind)
        if wanted[i] > level:
            rest = sorted(order[behind:], key=lambda i: (i + shift) % count)
            over = left - level * len(rest)
            for place, i in enumerate(rest):
                parts[i] = level + (place < over)
            break
        left -= wanted[i]
    return parts


def spread(total: int, count: int) -> list[int]:
    """Choose so many places of a row, evenly; ascending."""
    count = min(total, count)
    return [(2 * i + 1) * total // (2 * count) for i in range(count)]


def _expire(book: Ledger, now_us: int) -> None:
    """Take back what dead jobs held, and bound what a clock that was set back has made too late."""
    period_us = book.terms.period_us
    latest_us = now_us + period_us
    if book.free_us and book.free_us[-1] > latest_us:
        book.free_us = [min(when_us, latest_us) for when_us in book.free_us]
    for name in sorted(book.members):
        entry = book.members[name]
        entry.expires_us = min(entry.expires_us, now_us + LONGEST_LEASE_US)
        if entry.expires_us <= now_us:
            _release(book, [entry.expires_us + period_us] * entry.held)
            del book.members[name]
    book.locked_until_us = _bound(book.locked_until_us, now_us, LOCK_US)
    book.paused_until_us = _bound(book.paused_until_us, now_us, LONGEST_US)
    book.hold_until_us = _bound(book.hold_until_us, now_us, LONGEST_US)


def _bound(until_us: int, now_us: int, longest_us: int) -> int:
    """Forget what is over, so that no clock can bring it back."""
    return 0 if until_us <= now_us else min(until_us, now_us + longest_us)


def _register(book: Ledger, ask: Ask, entry: Entry | None, now_us: int) -> Entry:
    """Bring the job's account in line with what it says it holds."""
    period_us = book.terms.period_us
    if entry is None:
        if ask.held and not book.members:
            book.locked_until_us = now_us + LOCK_US
        held = 0
    else:
        released = [now_us + max(0, min(one, period_us)) for one in ask.released_us[: entry.held]]
        _release(book, released)
        held = entry.held - len(released)
    if ask.held < held:  # an answer was lost with what it granted
        _release(book, [now_us + period_us] * (held - ask.held))
        held = ask.held
    elif ask.held > held:  # it comes back: it may keep what nobody else was given
        claimed = min(ask.held - held, len(book.free_us))
        del book.free_us[len(book.free_us) - claimed :]
        held += claimed
    others = sum(one.window for name, one in book.members.items() if name != ask.member)
    most = book.terms
    return Entry(
        serial=ask.serial,
        expires_us=now_us + max(0, min(ask.lease_us, LONGEST_LEASE_US)),
        held=held,
        wanted=max(0, min(ask.wanted, most.permits)),
        window=max(0, min(ask.window, most.window - others)),
        window_wanted=max(0, min(ask.window_wanted, most.window)),
    )


def _release(book: Ledger, times_us: Sequence[int]) -> None:
    for when_us in times_us:
        insort(book.free_us, when_us)


def _learn(book: Ledger, ask: Ask, now_us: int) -> None:
    if 0 < ask.base_latency_us <= LONGEST_US:
        book.base_latency_us = min(book.base_latency_us or LONGEST_US, ask.base_latency_us)
    if ask.pause_us > 0:
        book.paused_until_us = max(book.paused_until_us, now_us + min(ask.pause_us, LONGEST_US))
    if ask.cut_milli > 0:
        book.cut_serial += 1
        book.cut_milli = ask.cut_milli
        book.hold_until_us = now_us + min(ask.hold_us, LONGEST_US)


def _answer(
    book: Ledger, ask: Ask, entry: Entry, target: int, window_target: int, grants: tuple[int, ...], now_us: int
) -> Answer:
    names = sorted(book.members)
    return Answer(
        held=entry.held - len(grants),
        target=target,
        window=entry.window,
        window_target=window_target,
        jobs=max(1, len(names)),
        rank=names.index(ask.member) if ask.member in names else 0,
        base_latency_us=book.base_latency_us,
        pause_us=max(0, book.paused_until_us - now_us),
        cut_serial=book.cut_serial,
        cut_milli=book.cut_milli,
        hold_us=max(0, book.hold_until_us - now_us),
        granted_us=grants,
    )
