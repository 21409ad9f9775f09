"""The rate figures: counted over every sliding second, not over calendar seconds."""

from hypothesis import given
from hypothesis import strategies as st

from burstctl.record.sends import Sends


@given(st.lists(st.floats(0, 5), max_size=80))
def test_the_fullest_second_is_found(times: list[float]) -> None:
    times.sort()
    sends = Sends()
    for time_s in times:
        sends.add(time_s)
    # Seconds that are open at their start: (t - 1, t].
    assert sends.max_1s == max((sum(t - 1 < other <= t for other in times) for t in times), default=0)


def test_the_achieved_rate_counts_intervals_not_sends() -> None:
    sends = Sends()
    for i in range(11):
        sends.add(5 + i * 0.1)
    assert sends.achieved_per_s is not None
    assert abs(sends.achieved_per_s - 10) < 1e-9


def test_one_send_has_no_rate() -> None:
    sends = Sends()
    sends.add(1.0)
    assert sends.achieved_per_s is None
