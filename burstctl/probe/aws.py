"""A client of one AWS service for probes: standard credentials, bounded in time and bytes. Needs the extra `aws`."""

import re
import time
from collections.abc import Callable
from typing import Any

from burstctl.errors import UsageError
from burstctl.probe.probe import Lane, ProbeError
from burstctl.probe_settings import ProbeSettings

_CODE = re.compile(r"[\w.]{1,64}", re.ASCII)
"""Of an error, as AWS names them: nothing else that a server says is shown."""
_MOST_BYTES = 2 * 2**20
"""Of an answer: some thousand targets or instances."""
_PIECE = 2**16
_NO_KEYS = {"aws_access_key_id": "-", "aws_secret_access_key": "-"}


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
            # Region and endpoint are checked here; with keys of its own, it looks for no credentials.
            session.client(service, config=config, **_NO_KEYS).close()
        except (BotoCoreError, ValueError) as error:  # ValueError: an endpoint that is no URL
            raise UsageError(f"probe {settings.name}: {error}", hint="set region, or AWS_REGION") from error
        self._open: Callable[[], Any] = lambda: session.client(service, config=config)
        self._client: Any = None
        self._lane = lane
        self._limit_s = limit_s

    async def call(self, operation: str, **arguments: object) -> Any:
        """Call an operation and give its answer; raises `ProbeError`."""
        return await self._lane.run(lambda: self._call(operation, arguments))

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _call(self, operation: str, arguments: dict[str, object]) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            if self._client is None:
                # Looking for credentials may ask a program or a metadata service, and wait for it.
                self._client = self._open()
                self._client.meta.events.register("before-send", self._send)
            return getattr(self._client, operation)(**arguments)
        except ProbeError:
            raise
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code"))
            raise ProbeError(f"aws: {operation} was refused: {code if _CODE.fullmatch(code) else 'error'}") from error
        except BotoCoreError as error:
            raise ProbeError(f"aws: {operation}: {_words(error)}") from error
        except Exception as error:  # its parsers raise whatever an answer of another shape leads to
            raise ProbeError(f"aws: {operation}: the answer is not one of AWS") from error

    def _send(self, request: Any, **_more: object) -> Any:
        """Send in botocore's place, which would take an answer of any size and any length of time."""
        from botocore.awsrequest import AWSResponse

        until_s = time.monotonic() + self._limit_s
        request.stream_output = True
        answer = self._client._endpoint.http_session.send(request)
        return AWSResponse(answer.url, answer.status_code, answer.headers, _Body(_take(answer.raw, until_s)))


def part_of(answer: Any, name: str) -> Any:
    """Give a part of an answer; `ProbeError` where it is not there."""
    if name not in answer:
        raise ProbeError(f"aws: the answer lacks {name}")
    return answer[name]


def _take(raw: Any, until_s: float) -> bytes:
    """Read a body; raises `ProbeError`."""
    from urllib3.exceptions import HTTPError

    body = bytearray()
    # Where it is there, what has come is taken: a full piece of an answer that trickles may take for ever.
    read = getattr(raw, "read1", raw.read)
    wrong = ""
    try:
        while not wrong and (piece := read(_PIECE, decode_content=False)):
            body += piece
            if len(body) > _MOST_BYTES:
                wrong = f"is larger than {_MOST_BYTES:,} bytes"
            elif time.monotonic() > until_s:
                wrong = "takes too long"
    except HTTPError:
        wrong = "broke off"
    if wrong:
        raw.close()  # its connection is of no more use
        raise ProbeError(f"aws: the answer {wrong}")
    return bytes(body)


class _Body:
    """What botocore reads an answer's body from."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def stream(self) -> list[bytes]:
        return [self._body]


def _words(error: Exception) -> str:
    """Write `EndpointConnectionError` as `endpoint connection error`: its message may quote what is secret."""
    return "".join(f" {c.lower()}" if c.isupper() else c for c in type(error).__name__).strip()
