"""A CloudWatch metric: its newest datapoint. CloudWatch itself is a minute behind or more."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from burstctl.probe.aws import AwsClient
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "cloudwatch"

STATISTICS = ("Average", "Maximum", "Minimum", "Sum", "SampleCount")
"""Any other one is a percentile: `p95`."""
_GROWING = ("Sum", "SampleCount")
"""Of a period that is not over they tell too little."""
_LOOK_BACK = 10
"""Periods in which a datapoint may lie: services publish late."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _CloudWatch(AwsClient("cloudwatch", settings, means.open_lane()), settings, means)


class _CloudWatch:
    def __init__(self, client: AwsClient, settings: ProbeSettings, means: Means) -> None:
        self._client = client
        self._period_s = int(settings.number("period", 60))
        self._statistic = settings.text("statistic") or "Average"
        plain = self._statistic in STATISTICS
        self._query = {
            "Namespace": settings.text("namespace"),
            "MetricName": settings.text("metric"),
            "Dimensions": [{"Name": name, "Value": value} for name, value in settings.mapping("dimensions").items()],
            "Period": self._period_s,
            "Statistics" if plain else "ExtendedStatistics": [self._statistic],
        }
        self._wall = means.wall
        self._last: tuple[datetime, float] | None = None

    async def read(self) -> Sequence[Reading] | None:
        """Give the newest datapoint, and again when it changes: the last one says nothing of now."""
        period = timedelta(seconds=self._period_s)
        now = datetime.fromtimestamp(self._wall(), UTC)
        answer = await self._client.call(
            "get_metric_statistics", StartTime=now - _LOOK_BACK * period, EndTime=now + period, **self._query
        )
        latest = now - period if self._statistic in _GROWING else now + period
        points = [point for point in answer["Datapoints"] if point["Timestamp"] <= latest]
        if not points:
            raise ProbeError(f"no datapoint in the last {_LOOK_BACK * self._period_s} s")
        newest = max(points, key=lambda point: point["Timestamp"])
        value = self._value_of(newest)
        if (newest["Timestamp"], value) == self._last:
            return None
        self._last = newest["Timestamp"], value
        return [{MAIN: value}]

    async def aclose(self) -> None:
        self._client.close()

    def _value_of(self, point: Mapping[str, Any]) -> float:
        values = point if self._statistic in STATISTICS else point.get("ExtendedStatistics", {})
        if self._statistic not in values:
            raise ProbeError(f"the datapoint has no {self._statistic}")
        return float(values[self._statistic])
