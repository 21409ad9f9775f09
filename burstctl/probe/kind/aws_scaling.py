"""What an Auto Scaling group did since the first reading: instances launched and terminated, and how many serve."""

from collections.abc import Sequence
from datetime import UTC, datetime

from burstctl.probe.aws import AwsClient
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "aws-scaling"

_PAGES = 5
_LAUNCH, _TERMINATION = "Launching", "Terminating"
_FAILED = ("Failed", "Cancelled")


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Scaling(AwsClient("autoscaling", settings), settings.text("group"), means)


class _Scaling:
    def __init__(self, client: AwsClient, group: str, means: Means) -> None:
        self._client = client
        self._group = group
        self._means = means
        self._since: datetime | None = None

    async def read(self) -> Sequence[Reading]:
        return [await self._means.in_thread(self._ask)]

    async def aclose(self) -> None:
        self._client.close()

    def _ask(self) -> Reading:
        if self._since is None:
            self._since = datetime.fromtimestamp(self._means.wall(), UTC)
        groups = self._client.call("describe_auto_scaling_groups", AutoScalingGroupNames=[self._group])
        found = groups["AutoScalingGroups"]
        if not found:
            raise ProbeError(f"there is no Auto Scaling group {self._group}")
        in_service = sum(one["LifecycleState"] == "InService" for one in found[0]["Instances"])
        launches, terminations = self._count(self._since)
        return {
            MAIN: float(in_service),
            "in_service": float(in_service),
            "desired": float(found[0]["DesiredCapacity"]),
            "launches": float(launches),
            "terminations": float(terminations),
        }

    def _count(self, since: datetime) -> tuple[int, int]:
        """Count activities that began since; they are listed newest first."""
        launches = terminations = 0
        token: dict[str, str] = {}
        for _ in range(_PAGES):
            page = self._client.call("describe_scaling_activities", AutoScalingGroupName=self._group, **token)
            for activity in page["Activities"]:
                if activity["StartTime"] < since:
                    return launches, terminations
                if activity.get("StatusCode") not in _FAILED:
                    launches += activity["Description"].startswith(_LAUNCH)
                    terminations += activity["Description"].startswith(_TERMINATION)
            if not page.get("NextToken"):
                break
            token = {"NextToken": page["NextToken"]}
        return launches, terminations
