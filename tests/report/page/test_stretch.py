"""Long runs are drawn in bounded room, and lose neither a peak nor a failure."""

import pytest

from burstctl.report.page.fleet import thin_out
from burstctl.report.page.stretch import put_together
from burstctl.summary import Second


@pytest.mark.parametrize(
    ("seconds", "marks"), [(0, 0), (1, 1), (60, 60), (180, 180), (181, 91), (3600, 120), (86400, 144)]
)
def test_a_run_has_a_bounded_number_of_marks(seconds: int, marks: int) -> None:
    assert len(put_together([Second(t) for t in range(seconds)])) == marks


def test_counts_are_summed_and_levels_keep_their_highest() -> None:
    timeline = [Second(t, 10, 9, 1, 2, None, 50.0, None, 3) for t in range(600)]
    timeline[301] = Second(301, 99, 9, 1, 2, 7.5, 60.0, 4.0, 30)
    stretches = put_together(timeline)
    assert sum(one.failed for one in stretches) == 600
    assert sum(one.status_429 for one in stretches) == 1200
    [peak] = [one for one in stretches if one.from_s <= 301 < one.to_s]
    assert (peak.sent, peak.p95_ms, peak.rate, peak.window, peak.in_flight) == (99, 7.5, 60.0, 4.0, 30)
    assert {one.p95_ms for one in stretches if one is not peak} == {None}


def test_readings_keep_their_ends_and_their_extremes() -> None:
    points = [(float(n), 5.0) for n in range(2000)]
    points[777], points[1234] = (777.0, 99.0), (1234.0, -1.0)
    thin = thin_out(points)
    assert len(thin) <= 182
    assert {points[0], points[777], points[1234], points[-1]} <= set(thin)
    assert thin == sorted(thin)
    assert thin_out(points[:3]) == points[:3]
