"""What latency, full queues and errors do to the window; each rule on its own, in a run that keeps the window full."""

from collections import deque

import pytest

from burstctl.control.window import Window


class Run:
    """Sends whenever the window has room; every request takes the same time, which a test may change."""

    def __init__(self, latency_s: float) -> None:
        self.window = Window(300.0, 200, 0.2)
        self.now_s = 0.0
        self.latency_s = latency_s
        self._serial = 0
        self.flying: deque[tuple[int, float, float]] = deque()

    def fill(self) -> None:
        while len(self.flying) < self.window.size:
            self.flying.append((self._serial, self.now_s, self.now_s + self.latency_s))
            self.window.sent(self.now_s, len(self.flying))
            self._serial += 1
            self.now_s += 1e-5

    def land(self) -> tuple[int, float]:
        """Give the next answer's serial and when its request was sent."""
        serial, sent_s, done_s = self.flying.popleft()
        self.now_s = max(self.now_s, done_s)
        return serial, sent_s

    def answers(self, count: int) -> None:
        for _ in range(count):
            self.fill()
            serial, sent_s = self.land()
            self.window.succeeded(serial, sent_s, self.now_s, len(self.flying))


def warm(latency_s: float = 0.04) -> Run:
    """Give a run that knows the unloaded latency and is past slow start."""
    run = Run(latency_s)
    run.answers(300)
    return run


def test_it_grows_while_latency_is_low_and_no_further_than_the_tolerated_latency_needs() -> None:
    assert warm(0.04).window.size == pytest.approx(60)


def test_it_shrinks_when_latency_is_above_its_target_down_to_its_floor() -> None:
    run = warm()
    run.latency_s = 2.0
    run.answers(400)
    assert 2.0 <= run.window.size <= 4.0


def test_it_concedes_a_service_that_is_slow_by_itself_what_it_needs() -> None:
    run = warm()
    run.latency_s = 0.15
    run.answers(2000)
    assert run.window.size > 20


def test_a_full_queue_cuts_once_per_round_trip() -> None:
    run = warm()
    before = run.window.size
    for i in range(10):
        run.window.full(run.now_s - 0.02 + i / 1000, run.now_s, 30)
    assert run.window.size == pytest.approx(0.75 * before)


def test_a_few_errors_are_chance_and_many_are_not() -> None:
    run = warm()
    before = run.window.size
    for i in range(400):
        run.fill()
        serial, sent_s = run.land()
        if i % 20:
            run.window.succeeded(serial, sent_s, run.now_s, len(run.flying))
        else:
            run.window.ambiguous(sent_s, run.now_s, len(run.flying))
    assert run.window.size >= before
    for _ in range(100):
        run.fill()
        _, sent_s = run.land()
        run.window.ambiguous(sent_s, run.now_s, len(run.flying))
    assert run.window.size <= before / 2


def test_refusals_by_a_quota_leave_it_alone_and_do_not_end_its_steering() -> None:
    run = warm()
    before = run.window.size
    for _ in range(100):
        run.fill()
        _, sent_s = run.land()
        run.window.refused(sent_s, run.now_s, len(run.flying))
    assert run.window.size == before
    run.latency_s = 2.0
    run.answers(300)
    assert run.window.size < before / 3


def test_one_straggler_among_the_first_requests_does_not_keep_it_from_steering() -> None:
    run = Run(0.04)
    run.fill()
    run.flying.popleft()  # it is never answered
    run.answers(200)
    run.latency_s = 2.0
    run.answers(200)
    assert run.window.size < 20


def test_answers_that_are_far_overdue_are_not_waited_for() -> None:
    run = warm()
    run.latency_s = 100.0
    run.answers(int(run.window.size))
    run.fill()
    run.now_s = run.flying[-1][1] + 0.8
    run.window.tick(run.now_s, len(run.flying), 0.0)
    assert run.window.size <= 30


def test_a_slow_and_small_fleet_is_not_taken_for_a_slow_and_large_one() -> None:
    window = Window(300.0, 200, 0.2)
    for i in range(12):
        window.sent(i / 300, i + 1)
    for i in range(6):  # two at a time, 0.4 s each: the rest queues
        window.succeeded(i, i / 300, 0.4 * (i // 2 + 1), 11 - i)
    assert window.size <= 20


def test_a_cut_during_a_drain_is_not_undone_by_its_end() -> None:
    run, before = Run(0.3), 0.0
    run.answers(300)
    while not before or run.window.size > 0.5 * before:  # until a drain begins
        before = run.window.size
        run.answers(1)
        assert run.now_s < 60
    run.window.full(run.now_s, run.now_s, len(run.flying))
    run.answers(60)
    assert run.window.size <= 0.8 * before


def test_silence_halves_it() -> None:
    run = warm()
    before = run.window.size
    run.window.tick(run.now_s + 2.0, 5, 0.0)
    assert run.window.size <= before / 2


def test_it_never_closes() -> None:
    window = Window(0.5, 1, 0.2)
    for i in range(20):
        window.full(float(i), i + 0.5, 0)
    assert window.size == 1
