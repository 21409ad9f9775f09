"""Several processes' measurements as one: the figures are those of one process that saw everything."""

import random
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from burstctl.attempt import Answer, Attempt, Failure
from burstctl.outcome import Outcome
from burstctl.record.merge import Merge, Part
from burstctl.record.recorder import Recorder
from burstctl.secret import Redactor
from burstctl.summary import Snapshot

NOBODY = Redactor(())
Event = tuple[float, float]
"""When a request was sent, in seconds since the start, and its latency in seconds."""


def snapshot(planned: int, done: int = 0, attempted: int = 0) -> Snapshot:
    return Snapshot(
        elapsed_s=1.0,
        planned=planned,
        attempted=attempted or done,
        succeeded=done,
        failed=0,
        attempts=done,
        in_flight=attempted - done if attempted else 0,
        waiting=0,
        failing=0,
        sent_1s=0,
        rate_per_s=10.0,
        window=5.0,
        p95_ms=None,
    )


def record(recorder: Recorder, events: Sequence[Event], until_s: float) -> None:
    """Play sends and answers in the order of time."""
    steps = [(sent_s, 0, i) for i, (sent_s, _) in enumerate(events)]
    steps += [(sent_s + latency_s, 1, i) for i, (sent_s, latency_s) in enumerate(events)]
    for now_s, answered, i in sorted(steps):
        recorder.advance(now_s, 10.0, 5.0, 1)
        sent_s, latency_s = events[i]
        if not answered:
            recorder.sent(sent_s, 0.0, 1)
            continue
        attempt = Attempt(i, "a", 1, i, sent_s, Answer(sent_s + latency_s, sent_s + latency_s, 200))
        recorder.attempt(attempt, 0.0)
        recorder.outcome(Outcome(i, "a", sent_s, sent_s + latency_s, 1, sent_s, attempt))
    recorder.advance(until_s, 10.0, 5.0, 0)


EVENTS = st.lists(st.tuples(st.floats(0, 4), st.floats(0.001, 1)), min_size=1, max_size=60)


@given(EVENTS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_merged_figures_are_those_of_one_process(events: list[Event], count: int, rng: random.Random) -> None:
    alone = Recorder({"a": len(events)}, NOBODY, 0.0)
    record(alone, events, 5.5)
    shares = [events[index::count] for index in range(count)]
    merge = Merge([{"a": len(share)} for share in shares], NOBODY)
    recorders = []
    for share in shares:
        recorders.append(Recorder({"a": len(share)}, NOBODY, 0.0, in_parts=True))
        record(recorders[-1], share, 5.5)
        recorders[-1].timeline.finish(10.0, 5.0, 0)
    taken = [(recorder.sends.take(), recorder.timeline.take()) for recorder in recorders]
    for step in range(1, 7):
        for index in rng.sample(range(count), count):
            sends, portions = taken[index]
            new = [sent_s for sent_s in sends if step - 1 <= sent_s < step]
            merge.add(index, Part(snapshot(len(shares[index])), float(step), new, portions[step - 1 : step]))
        assert merge.snapshot().planned == len(events)
    for index, recorder in enumerate(recorders):
        merge.end(index, recorder)
    merged = merge.recorder
    assert merged.total().figures() == alone.total().figures()
    assert (merged.sends.count, merged.sends.max_1s) == (alone.sends.count, alone.sends.max_1s)
    assert merged.sends.achieved_per_s == alone.sends.achieved_per_s
    assert merged.lag_ms.spread() == alone.lag_ms.spread()
    one, other = merged.timeline.finish(0, 0, 0), alone.timeline.finish(0, 0, 0)
    assert [(s.t, s.sent, s.succeeded, s.p95_ms) for s in one] == [(s.t, s.sent, s.succeeded, s.p95_ms) for s in other]
    assert {(s.rate, s.window) for s in one} == {(10.0 * count, 5.0 * count)}


def test_a_process_that_ends_early_does_not_hold_the_others_up() -> None:
    merge = Merge([{"a": 1}, {"a": 1}], NOBODY)
    merge.end(0, Recorder({"a": 1}, NOBODY, 0.0))
    merge.add(1, Part(snapshot(1), 2.0, [1.0, 1.5], []))
    assert merge.recorder.sends.count == 2


@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 20))
def test_a_lost_process_is_accounted_for(first: int, second: int, attempted: int) -> None:
    merge = Merge([{"a": first, "b": second}, {"a": 0, "b": 0}], NOBODY)
    attempted = min(attempted, first + second)
    merge.add(0, Part(snapshot(first + second, attempted=attempted), 1.0, [], []))
    merge.lose(0, Failure("cancelled: lost"))
    total = merge.recorder.total().figures()
    assert (total.planned, total.failed, total.succeeded) == (first + second, attempted, 0)
    assert total.planned == total.succeeded + total.failed + total.unsent
    assert total.attempts == total.planned - total.unsent + total.retries
    assert total.faults.get("cancelled", 0) == attempted
    assert merge.recorder.tallies["a"].failed == min(first, attempted)
    assert merge.snapshot().in_flight == 0
