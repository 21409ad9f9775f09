"""How many messages wait in an SQS queue; `in_flight` tells how many are being worked on."""

from collections.abc import Sequence

from burstctl.probe.aws import AwsClient
from burstctl.probe.number import number
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "sqs"
HINT = "aws sqs get-queue-attributes must work with this queue_url, by the same credentials"

SERIES = ("in_flight",)
"""Beside its own value."""

_WAITING, _IN_FLIGHT = "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Sqs(AwsClient("sqs", settings, means.open_lane()), settings.text("queue_url"))


class _Sqs:
    def __init__(self, client: AwsClient, queue_url: str) -> None:
        self._client = client
        self._queue_url = queue_url

    async def read(self) -> Sequence[Reading]:
        names = [_WAITING, _IN_FLIGHT]
        answer = await self._client.call("get_queue_attributes", QueueUrl=self._queue_url, AttributeNames=names)
        values = [number(str(answer.get("Attributes", {}).get(name))) for name in names]
        if None in values:
            raise ProbeError(f"aws: the answer lacks {' or '.join(names)}")
        return [dict(zip((MAIN, *SERIES), (value for value in values if value is not None), strict=True))]

    async def aclose(self) -> None:
        self._client.close()
