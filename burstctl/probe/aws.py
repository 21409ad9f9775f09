"""A client of one AWS service for probes: standard credentials, bounded time-outs. Needs the extra `aws`."""

from typing import Any

from burstctl.errors import UsageError
from burstctl.probe.probe import ProbeError
from burstctl.probe_settings import ProbeSettings


class AwsClient:
    """Calls one service; its calls block, and belong on a thread."""

    def __init__(self, service: str, settings: ProbeSettings) -> None:
        """`UsageError` where boto3 is not installed or knows no region."""
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
        except BotoCoreError as error:
            raise UsageError(f"probe {settings.name}: {error}", hint="set region, or AWS_REGION") from error

    def call(self, operation: str, **arguments: object) -> Any:
        """Call an operation and give its answer; raises `ProbeError`."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return getattr(self._client, operation)(**arguments)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "unknown error")
            raise ProbeError(f"aws: {operation} was refused: {code}") from error
        except BotoCoreError as error:
            raise ProbeError(f"aws: {operation}: {_words(error)}") from error

    def close(self) -> None:
        self._client.close()


def _words(error: Exception) -> str:
    """Write `EndpointConnectionError` as `endpoint connection error`: its message may quote what is secret."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in type(error).__name__).strip()
