"""How many messages wait in an SQS queue; `in_flight` tells how many are being worked on."""

from collections.abc import Sequence

from burstctl.probe.aws import AwsClient
from burstctl.probe.probe import MAIN, Means, Probe, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "sqs"

_WAITING, _IN_FLIGHT = "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Sqs(AwsClient("sqs", settings), settings.text("queue_url"), means)


class _Sqs:
    def __init__(self, client: AwsClient, queue_url: str, means: Means) -> None:
        self._client = client
        self._queue_url = queue_url
        self._in_thread = means.in_thread

    async def read(self) -> Sequence[Reading]:
        return [await self._in_thread(self._ask)]

    async def aclose(self) -> None:
        self._client.close()

    def _ask(self) -> Reading:
        answer = self._client.call(
            "get_queue_attributes", QueueUrl=self._queue_url, AttributeNames=[_WAITING, _IN_FLIGHT]
        )
        counts = answer.get("Attributes", {})
        return {MAIN: float(counts.get(_WAITING, 0)), "in_flight": float(counts.get(_IN_FLIGHT, 0))}
