"""How many targets of a load balancer's target group are healthy, and how many are not."""

from collections import Counter
from collections.abc import Sequence

from burstctl.probe.aws import AwsClient
from burstctl.probe.probe import MAIN, Means, Probe, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "aws-target-health"


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _TargetHealth(AwsClient("elbv2", settings), settings.text("target_group"), means)


class _TargetHealth:
    def __init__(self, client: AwsClient, target_group: str, means: Means) -> None:
        self._client = client
        self._target_group = target_group
        self._in_thread = means.in_thread

    async def read(self) -> Sequence[Reading]:
        return [await self._in_thread(self._ask)]

    async def aclose(self) -> None:
        self._client.close()

    def _ask(self) -> Reading:
        answer = self._client.call("describe_target_health", TargetGroupArn=self._target_group)
        states = Counter(one["TargetHealth"]["State"] for one in answer["TargetHealthDescriptions"])
        healthy = float(states["healthy"])
        return {MAIN: healthy, "healthy": healthy, "unhealthy": float(sum(states.values()) - states["healthy"])}
