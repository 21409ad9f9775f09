"""A plan in parts: nothing is sent twice, nothing is left out, and every part knows what it has."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from burstctl.plan import Plan, RateLimit, Request, Retry, Target


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(0, 20), max_size=5), st.integers(1, 7))
def test_its_parts_are_the_plan(counts: dict[str, int], step: int) -> None:
    names = [name for name, count in counts.items() for _ in range(count)]
    requests = [Request(index, name, "GET", "/") for index, name in enumerate(names)]
    retry = Retry(frozenset(), frozenset())
    plan = Plan(Target("http://x"), RateLimit(), retry, counts, lambda: iter(requests), ())
    parts = [plan.every(step, first) for first in range(step)]
    sent = [list(part.requests()) for part in parts]
    assert [requests[first::step] for first in range(step)] == sent
    for part, own in zip(parts, sent, strict=True):
        assert list(part.counts) == list(counts)
        assert {name: n for name, n in part.counts.items() if n} == Counter(request.name for request in own)
