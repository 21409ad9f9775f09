"""The book of permits: fair parts, nothing given twice, nothing lost, whatever jobs say and clocks do."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.pace.share.ledger import Ledger, fill, spread, take_turn
from burstctl.pace.share.protocol import LOCK_US, Answer, Ask, MismatchError, read_answer
from burstctl.pace.share.terms import US, Terms

TERMS = Terms(12, US, 20)


def make_ask(
    member: str,
    serial: int,
    held: int = 0,
    *,
    wanted: int = 12,
    window: int = 0,
    window_wanted: int = 20,
    released_us: tuple[int, ...] = (),
    leaves: bool = False,
    lease_us: int = US // 2,
    cut_milli: int = 0,
    pause_us: int = 0,
    base_latency_us: int = 0,
) -> Ask:
    return Ask(
        member, serial, lease_us, held, wanted, window, window_wanted, leaves, base_latency_us, pause_us, cut_milli,
        US if cut_milli else 0, released_us,
    )  # fmt: skip


@given(st.integers(0, 300), st.lists(st.integers(0, 300), min_size=1, max_size=20), st.integers(0, 10**9))
def test_parts_are_fair_and_leave_nothing_over(total: int, wanted: list[int], shift: int) -> None:
    parts = fill(total, wanted, shift)
    assert all(0 <= part <= want for part, want in zip(parts, wanted, strict=True))
    assert sum(parts) == min(total, sum(wanted))
    unsatisfied = [part for part, want in zip(parts, wanted, strict=True) if part < want]
    # Who got less than it wanted has as much as anybody, but for one.
    assert not unsatisfied or min(unsatisfied) >= max(parts) - 1


def test_what_can_not_be_divided_goes_round() -> None:
    assert sorted(tuple(fill(1, [5, 5, 5], shift)) for shift in range(3)) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


@given(st.integers(0, 50), st.integers(0, 50))
def test_places_are_spread_evenly(total: int, count: int) -> None:
    places = spread(total, count)
    assert len(set(places)) == len(places) == min(total, count)
    assert all(0 <= place < total for place in places)


def test_a_job_alone_gets_everything() -> None:
    book, answer = take_turn(None, make_ask("a", 1), TERMS, 0)
    assert (len(answer.granted_us), answer.window, answer.jobs) == (12, 20, 1)
    assert book.free_us == []


def test_a_newcomer_gets_what_the_others_let_go_of_and_only_then() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    book, answer = take_turn(book, make_ask("b", 1), TERMS, 1)
    assert (answer.target, answer.granted_us) == (6, ())
    book, answer = take_turn(book, make_ask("a", 2, 12), TERMS, 2)
    assert (answer.held, answer.target) == (12, 6)
    book, answer = take_turn(book, make_ask("a", 3, 6, released_us=(0, 0, 100, 200, 10**5, 9 * 10**5)), TERMS, 3)
    assert answer.held == 6
    book, answer = take_turn(book, make_ask("b", 2), TERMS, 4)
    assert answer.granted_us == (0, 0, 99, 199, 99_999)  # the last one is too far ahead


def test_a_dead_job_keeps_its_permits_until_nobody_can_be_hurt() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    book, _ = take_turn(book, make_ask("b", 1), TERMS, 1)
    book, answer = take_turn(book, make_ask("b", 2), TERMS, US // 2 + 1)
    assert (answer.jobs, answer.granted_us) == (1, ())
    # It may have used them up to its lease's end: a period later they are free.
    book, answer = take_turn(book, make_ask("b", 3), TERMS, US // 2 + US)
    assert answer.granted_us == (0,) * 12


def test_who_leaves_gives_everything_back() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    book, _ = take_turn(book, make_ask("a", 2, 0, released_us=(5,) * 12, leaves=True), TERMS, 10)
    assert (book.members, book.free_us) == ({}, [15] * 12)


def test_an_answer_that_was_lost_costs_a_period_and_nothing_more() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    book, answer = take_turn(book, make_ask("a", 2, 0), TERMS, 10)
    assert answer.held == 0
    assert book.free_us == [10 + US] * 12


def test_an_ask_that_was_overtaken_changes_nothing() -> None:
    book, _ = take_turn(None, make_ask("a", 5), TERMS, 0)
    book, answer = take_turn(book, make_ask("a", 4, 0, released_us=(0,) * 12), TERMS, 10)
    assert (answer.held, book.members["a"].held) == (12, 12)


def test_after_a_loss_of_all_data_jobs_keep_what_they_hold_and_nobody_gets_more_for_a_while() -> None:
    book, answer = take_turn(None, make_ask("a", 7, 4, window=5), TERMS, 0)
    assert (answer.held, answer.granted_us) == (4, ())
    book, answer = take_turn(book, make_ask("b", 9, 6, window=5), TERMS, 1)
    assert (answer.held, answer.granted_us) == (6, ())
    book, answer = take_turn(book, make_ask("b", 10, 6, lease_us=9 * US), TERMS, 2)
    book, answer = take_turn(book, make_ask("a", 8, 4), TERMS, LOCK_US + US)
    assert len(answer.granted_us) == 2


def test_a_job_that_comes_back_too_late_keeps_only_what_is_left() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    book, _ = take_turn(book, make_ask("b", 1), TERMS, 2 * US)
    book, answer = take_turn(book, make_ask("a", 2, 4), TERMS, 2 * US + 1)
    assert answer.held == 0


def test_jobs_of_another_ceiling_are_turned_away() -> None:
    book, _ = take_turn(None, make_ask("a", 1), TERMS, 0)
    with pytest.raises(MismatchError):
        take_turn(book, make_ask("b", 1), Terms(13, US, 20), 1)
    # The one that is gone binds nobody.
    _, answer = take_turn(book, make_ask("b", 1, wanted=13), Terms(13, US, 20), 2 * US)
    assert len(answer.granted_us) == 13


def test_jobs_share_what_they_learnt() -> None:
    book, _ = take_turn(None, make_ask("a", 1, base_latency_us=40_000, pause_us=3 * US, cut_milli=150_000), TERMS, 0)
    _, answer = take_turn(book, make_ask("b", 1, base_latency_us=90_000), TERMS, US // 4)
    assert (answer.base_latency_us, answer.cut_serial, answer.cut_milli) == (40_000, 1, 150_000)
    assert (answer.pause_us, answer.hold_us) == (3 * US - US // 4, US - US // 4)


def test_a_clock_that_is_set_back_stops_nobody_for_longer_than_a_period() -> None:
    book, _ = take_turn(None, make_ask("a", 1, wanted=2), TERMS, 10**9 * US)
    book, _ = take_turn(book, make_ask("a", 2, 2, wanted=2, lease_us=9 * US), TERMS, 10**9 * US - 3600 * US)
    book, answer = take_turn(book, make_ask("a", 3, 2), TERMS, 10**9 * US - 3600 * US + US)
    assert (len(answer.granted_us), answer.pause_us) == (10, 0)


asks = st.builds(
    make_ask,
    st.sampled_from("abc"),
    st.integers(0, 40),
    st.integers(0, 14),
    wanted=st.integers(0, 14),
    window=st.integers(0, 25),
    window_wanted=st.integers(0, 25),
    released_us=st.lists(st.integers(0, 2 * US), max_size=8).map(tuple),
    leaves=st.booleans(),
    lease_us=st.integers(0, 2 * US),
    cut_milli=st.integers(0, 5),
    pause_us=st.integers(0, 5 * US),
    base_latency_us=st.integers(0, 5 * US),
)


@settings(max_examples=200)
@given(st.lists(st.tuples(asks, st.integers(0, US)), max_size=25))
def test_permits_and_windows_always_add_up_whatever_jobs_say(turns: list[tuple[Ask, int]]) -> None:
    book: Ledger | None = None
    now_us = 0
    for ask, later_us in turns:
        now_us += later_us
        book, answer = take_turn(book, ask, TERMS, now_us)
        assert book.is_sound
        assert answer.held <= ask.held or ask.serial <= book.members[ask.member].serial
        assert read_answer(answer.numbers(), ask, TERMS).granted_us == answer.granted_us


def test_a_poisoned_answer_never_lifts_a_job_over_the_ceiling() -> None:
    poisoned = Answer(10**9, 10**9, 10**9, 10**9, 10**9, -5, 10**12, 10**12, -1, -1, 10**12, (-5,) * 1000)
    answer = read_answer(poisoned.numbers(), make_ask("a", 1, 4), TERMS)
    assert (answer.held, answer.target, answer.window, answer.window_target) == (4, 12, 20, 20)
    assert answer.granted_us == (0,) * 8
    assert answer.pause_us <= 60 * US
    assert answer.cut_milli == 0
