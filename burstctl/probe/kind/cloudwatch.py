"""A CloudWatch metric: its newest datapoint. CloudWatch itself is a minute behind or more."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from burstctl.probe.aws import AwsClient
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "cloudwatch"

STATISTICS = ("Average", "Maximum", "Minimum", "Sum", "SampleCount")
_LOOK_BACK = 10
"""Periods in which a datapoint may lie: services publish late."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _CloudWatch(AwsClient("cloudwatch", settings), settings, means)


class _CloudWatch:
    def __init__(self, client: AwsClient, settings: ProbeSettings, means: Means) -> None:
        self._client = client
        self._settings = settings
        self._means = means
        self._seen: datetime | None = None

    async def read(self) -> Sequence[Reading]:
        """Give the newest datapoint once; nothing as long as there is no newer one."""
        reading = await self._means.in_thread(self._ask)
        return [reading] if reading else []

    async def aclose(self) -> None:
        self._client.close()

    def _ask(self) -> Reading:
        settings = self._settings
        statistic, period_s = settings.text("statistic") or "Average", int(settings.number("period", 60))
        now = datetime.fromtimestamp(self._means.wall(), UTC)
        answer = self._client.call(
            "get_metric_statistics",
            Namespace=settings.text("namespace"),
            MetricName=settings.text("metric"),
            Dimensions=[{"Name": name, "Value": value} for name, value in settings.mapping("dimensions").items()],
            StartTime=now - timedelta(seconds=_LOOK_BACK * period_s),
            EndTime=now + timedelta(seconds=period_s),
            Period=period_s,
            Statistics=[statistic],
        )
        points = answer.get("Datapoints", [])
        if not points:
            raise ProbeError(f"no datapoint in the last {_LOOK_BACK * period_s} s")
        newest = max(points, key=lambda point: point["Timestamp"])
        if newest["Timestamp"] == self._seen:
            return {}
        self._seen = newest["Timestamp"]
        return {MAIN: float(newest[statistic])}
