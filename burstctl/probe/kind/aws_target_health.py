"""How many targets of a load balancer's target group are healthy; a series for each state of the others."""

from collections import Counter
from collections.abc import Sequence

from burstctl.probe.aws import AwsClient, part_of
from burstctl.probe.probe import MAIN, Means, Probe, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "aws-target-health"
HINT = "aws elbv2 describe-target-health must work with this ARN, by the same credentials"

SERIES = ("healthy", "unhealthy", "initial", "draining", "unused", "unavailable")
"""The states that Elastic Load Balancing knows."""


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _TargetHealth(AwsClient("elbv2", settings, means.open_lane()), settings.text("target_group"))


class _TargetHealth:
    def __init__(self, client: AwsClient, target_group: str) -> None:
        self._client = client
        self._target_group = target_group

    async def read(self) -> Sequence[Reading]:
        answer = await self._client.call("describe_target_health", TargetGroupArn=self._target_group)
        # `unhealthy.draining` counts as unhealthy.
        targets = part_of(answer, "TargetHealthDescriptions")
        states = Counter(one["TargetHealth"]["State"].partition(".")[0] for one in targets)
        return [{MAIN: float(states["healthy"]), **{state: float(states[state]) for state in SERIES}}]

    async def aclose(self) -> None:
        self._client.close()
