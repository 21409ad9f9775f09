"""What an Auto Scaling group did since the first reading: instances launched and terminated, and how many serve."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from burstctl.probe.aws import AwsClient, part_of
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "aws-scaling"
HINT = "aws autoscaling describe-auto-scaling-groups must find the group, by the same credentials and region"

SERIES = ("in_service", "desired", "launches", "terminations")
"""Beside its own value."""

_PAGES = 5
_LAUNCH, _TERMINATION = "Launching", "Terminating"
_FAILED = ("Failed", "Cancelled")


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Scaling(AwsClient("autoscaling", settings, means.open_lane()), settings.text("group"), means.wall)


class _Scaling:
    def __init__(self, client: AwsClient, group: str, wall: Callable[[], float]) -> None:
        self._client = client
        self._group = group
        self._wall = wall
        self._since: datetime | None = None

    async def read(self) -> Sequence[Reading]:
        if self._since is None:
            self._since = datetime.fromtimestamp(self._wall(), UTC)
        answer = await self._client.call("describe_auto_scaling_groups", AutoScalingGroupNames=[self._group])
        if not part_of(answer, "AutoScalingGroups"):
            raise ProbeError(f"there is no Auto Scaling group {self._group}")
        group = answer["AutoScalingGroups"][0]
        in_service = float(sum(one["LifecycleState"] == "InService" for one in group["Instances"]))
        launches, terminations = await self._count(self._since)
        return [
            {
                MAIN: in_service,
                "in_service": in_service,
                "desired": float(group["DesiredCapacity"]),
                "launches": float(launches),
                "terminations": float(terminations),
            }
        ]

    async def aclose(self) -> None:
        self._client.close()

    async def _count(self, since: datetime) -> tuple[int, int]:
        """Count activities that began since; they are listed newest first."""
        launches = terminations = 0
        token: dict[str, str] = {}
        for _ in range(_PAGES):
            page = await self._client.call("describe_scaling_activities", AutoScalingGroupName=self._group, **token)
            for activity in part_of(page, "Activities"):
                if activity["StartTime"] < since:
                    return launches, terminations
                if activity["StatusCode"] not in _FAILED:
                    launches += activity["Description"].startswith(_LAUNCH)
                    terminations += activity["Description"].startswith(_TERMINATION)
            if not page.get("NextToken"):
                break
            token = {"NextToken": page["NextToken"]}
        return launches, terminations
