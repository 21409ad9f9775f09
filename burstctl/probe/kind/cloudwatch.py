"""A CloudWatch metric: its newest datapoint. CloudWatch itself is a minute behind or more."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from burstctl.probe.aws import AwsClient, part_of
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "cloudwatch"
HINT = "aws cloudwatch list-metrics tells namespace, metric and all dimensions as they must stand here"

_GROWING = ("sum", "samplecount", "tc", "ts")
"""How statistics begin that tell too little of a period that is not over."""
_LOOK_BACK = 10
"""Periods in which a datapoint may lie: services publish late."""
_COMPLETE = ("Complete", "PartialData")
"""Of newest values there are no more pages."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _CloudWatch(AwsClient("cloudwatch", settings, means.open_lane()), settings, means)


class _CloudWatch:
    def __init__(self, client: AwsClient, settings: ProbeSettings, means: Means) -> None:
        self._client = client
        self._period_s = int(settings.number("period", 60))
        self._statistic = settings.text("statistic") or "Average"
        metric = {
            "Namespace": settings.text("namespace"),
            "MetricName": settings.text("metric"),
            "Dimensions": [{"Name": name, "Value": value} for name, value in settings.mapping("dimensions").items()],
        }
        # Not GetMetricStatistics: that one knows percentiles, but none of the trimmed statistics.
        stat = {"Metric": metric, "Period": self._period_s, "Stat": self._statistic}
        self._query = {"Id": "probe", "MetricStat": stat}
        self._wall = means.wall
        self._last: tuple[datetime, float] | None = None

    async def read(self) -> Sequence[Reading] | None:
        """Give the newest datapoint, and again when it changes: the last one says nothing of now."""
        period = timedelta(seconds=self._period_s)
        now_s = self._wall()
        now = datetime.fromtimestamp(now_s, UTC)
        # Aligned to periods, as datapoints are: CloudWatch answers that sooner.
        current = datetime.fromtimestamp(now_s // self._period_s * self._period_s, UTC)
        answer = await self._client.call(
            "get_metric_data",
            MetricDataQueries=[self._query],
            StartTime=current - _LOOK_BACK * period,
            EndTime=current + period,
            ScanBy="TimestampDescending",
        )
        [result] = part_of(answer, "MetricDataResults") or [{"StatusCode": "nothing"}]
        if result.get("StatusCode", _COMPLETE[0]) not in _COMPLETE:
            raise ProbeError("aws: get_metric_data gave no data: not allowed, or an error of its own")
        latest = now - period if self._statistic.lower().startswith(_GROWING) else now + period
        points = [(at, float(value)) for at, value in zip(result["Timestamps"], result["Values"], strict=True)]
        newest = max(((at, value) for at, value in points if at <= latest), default=None)
        if newest is None:
            raise ProbeError(f"no datapoint in the last {_LOOK_BACK * self._period_s} s")
        if newest == self._last:
            return None
        self._last = newest
        return [{MAIN: newest[1]}]

    async def aclose(self) -> None:
        self._client.close()
