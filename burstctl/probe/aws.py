"""A client of one AWS service for probes: standard credentials, bounded time-outs. Needs the extra `aws`."""

import re
from typing import Any

from burstctl.errors import UsageError
from burstctl.probe.probe import Lane, ProbeError
from burstctl.probe_settings import ProbeSettings

_CODE = re.compile(r"[\w.]{1,64}", re.ASCII)
"""Of an error, as AWS names them: nothing else that a server says is shown."""


class AwsClient:
    """Calls one service, beside the event loop."""

    def __init__(self, service: str, settings: ProbeSettings, lane: Lane) -> None:
        """`UsageError` where boto3 is not installed, knows no region, or is set up wrongly."""
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
        except ImportError as error:
            raise UsageError(f"a {settings.kind} probe needs boto3", hint="pip install 'burstctl[aws]'") from error
        limit_s = settings.timeout_s
        config = Config(
            connect_timeout=limit_s,
            read_timeout=limit_s,
            # One try more at most: the next reading comes soon, and a late one is worth nothing.
            retries={"mode": "standard", "total_max_attempts": 2},
        )
        try:
            # A session of its own: the default one is state of the whole process.
            session = boto3.session.Session(region_name=settings.text("region") or None)
            self._client: Any = session.client(service, config=config)
        except (BotoCoreError, ValueError) as error:  # ValueError: an endpoint that is no URL
            raise UsageError(f"probe {settings.name}: {error}", hint="set region, or AWS_REGION") from error
        self._lane = lane

    async def call(self, operation: str, **arguments: object) -> Any:
        """Call an operation and give its answer; raises `ProbeError`."""
        return await self._lane.run(lambda: self._call(operation, arguments))

    def close(self) -> None:
        self._client.close()

    def _call(self, operation: str, arguments: dict[str, object]) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return getattr(self._client, operation)(**arguments)
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code"))
            raise ProbeError(f"aws: {operation} was refused: {code if _CODE.fullmatch(code) else 'error'}") from error
        except BotoCoreError as error:
            raise ProbeError(f"aws: {operation}: {_words(error)}") from error
        except Exception as error:  # its parsers raise whatever an answer of another shape leads to
            raise ProbeError(f"aws: {operation}: the answer is not one of AWS") from error


def _words(error: Exception) -> str:
    """Write `EndpointConnectionError` as `endpoint connection error`: its message may quote what is secret."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in type(error).__name__).strip()
