"""The manifest's shape, version 1: every key, its kind, its default. Reads no value itself."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, Field, ValidationError, model_validator

from burstctl.expect import SUCCESS
from burstctl.manifest import file
from burstctl.manifest.probe.keys import MaybeBound, MaybeProbe, ProbeKeys
from burstctl.manifest.scalar import (
    Attempts,
    Body,
    CaFile,
    Controller,
    Count,
    DataFile,
    Duration,
    ExpectedStatus,
    File,
    Flag,
    Headers,
    Http,
    Jobs,
    Json,
    Keys,
    MaybeDuration,
    MaybeJob,
    MaybeShare,
    MaybeWindow,
    Method,
    Name,
    OnShareLoss,
    Parameter,
    Proxy,
    Rate,
    RequestPath,
    RetryWord,
    Size,
    Split,
    Text,
    ThresholdLine,
    Url,
    Version,
    Workers,
)


def _spread_timeout(value: object) -> object:
    """A bare duration bounds the whole attempt: nothing in it may end earlier."""
    return value if isinstance(value, dict) else {"first_byte": value, "idle": value, "total": value}


def _spread_rate(value: object) -> object:
    return value if isinstance(value, dict) else {"rate": value}


class Timeout(Keys):
    """Bounds on one attempt."""

    connect: MaybeDuration = Field(None, description="Until the connection stands. Default 5s.")
    first_byte: MaybeDuration = Field(None, description="From the send to the answer's first byte. Default 30s.")
    idle: MaybeDuration = Field(None, description="Between two pieces of the answer. Default 30s.")
    total: MaybeDuration = Field(None, description="From the send to the answer's last byte. Default 30s.")


MaybeTimeout = Annotated[Timeout, BeforeValidator(_spread_timeout)]


class Tls(Keys):
    """Certificates; paths are relative to the manifest."""

    ca: CaFile = Field(None, description="PEM file of the authorities to trust instead of the system's.")
    cert: File = Field(None, description="PEM file of the client certificate.")
    key: File = Field(None, description="PEM file of the client certificate's private key.")
    verify: Flag = Field(default=True, description="false: the server's certificate is not checked, and says so.")

    @model_validator(mode="after")
    def _check_pair(self) -> Self:
        if self.cert is not None:
            file.check_client_certificate(self.cert, self.key)
        return self


class Target(Keys):
    """Where every request of the run goes."""

    base_url: Url = Field(
        description="Absolute http or https URL; a path in it prefixes every request's path.",
        examples=["${INFERENCE_URL:-http://127.0.0.1:8080}"],
    )
    headers: Headers = Field({}, description="For every request.")
    query: dict[str, Parameter] = Field({}, description="Query parameters of every request.")
    timeout: MaybeTimeout = Field(
        default_factory=Timeout, description="For each attempt: a duration, or a mapping.", examples=["30s"]
    )
    tls: Tls = Field(default_factory=Tls)
    proxy: Proxy = Field(None, description="URL of an HTTP proxy. None from the environment is used.")
    http: Http = Field("1.1", description="HTTP version: 1.1 or 2.")
    max_body: Size = Field(16 * 2**20, description="Largest answer, after decompression. Default 16MiB.")


class RateLimit(Keys):
    """The pace, over all parallel jobs."""

    rate: Rate = Field(300.0, description="The ceiling: never more than this.", examples=["300/s", "18000/min"])
    max_in_flight: MaybeWindow = Field(None, description="Most requests at once. Default: 200 adaptive, 10,000 fixed.")
    controller: Controller = Field(
        "adaptive", description="adaptive backs off before the fleet suffers; fixed does not."
    )
    target_latency: Duration = Field(0.2, description="What adaptive keeps the latency's p95 under. Default 200ms.")
    base_latency: MaybeDuration = Field(None, description="Latency without load, if known. Default: measured.")
    jobs: Jobs = Field(
        None, description="Parallel jobs that share this limit. Default auto: as many as the CI system says."
    )
    job: MaybeJob = Field(None, description="Which of the jobs this is, from 1. Default: as the CI system says.")
    split: Split = Field("none", description="requests: the jobs divide the requests too. none: each sends all.")
    share: MaybeShare = Field(
        None,
        description="Share the limit live: host, or the URL of a Redis. Default: it is divided beforehand.",
        examples=["host", "rediss://:${REDIS_PASSWORD}@redis.internal:6379"],
    )
    share_required: Flag = Field(default=False, description="true: without the share nothing is sent.")
    on_share_loss: OnShareLoss = Field("split", description="split: keep to a static part of the limit. stop: end.")
    follow: MaybeProbe = Field(None, description="A probe of the fleet's queue, which then caps the window too.")
    keep_under: MaybeBound = Field(None, description="follow: the window shrinks while the probe is above this.")
    workers: Workers = Field(1, description="Processes that send, for rates beyond one processor core. Default 1.")


class ExpectKeys(Keys):
    """What a good answer is."""

    status: ExpectedStatus = Field(
        default_factory=lambda: SUCCESS, description="A status, a class such as 2xx, or a list. Default 2xx."
    )
    json_: Json = Field(None, alias="json", description="What the JSON body must contain; other keys are ignored.")
    headers: Headers = Field({}, description="Headers that must have these values.")
    max_latency: MaybeDuration = Field(None, description="A slower answer fails.")


class RequestKeys(Keys):
    """Requests of one kind, sent in the order of the list."""

    name: Name = Field(description="Unique; thresholds and reports use it.")
    method: Method = Field(None, description="Default: POST with a body, else GET.")
    path: RequestPath = Field(description="Starts with /; appended to base_url.", examples=["/predict"])
    query: dict[str, Parameter] = Field({}, description="Query parameters; they go over the target's.")
    headers: Headers = Field({}, description="They go over the target's.")
    json_: Json = Field(None, alias="json", description="The body, as JSON. One of json, body, body_file.")
    body: Body = Field(None, description="The body, as text.")
    body_file: File = Field(None, description="The body, from a file, as it is.")
    count: Count = Field(1, description="How many; with data: how many for each row.")
    data: DataFile = Field(None, description="A .jsonl, .json or .csv file: one request for each row.")
    expect: ExpectKeys = Field(default_factory=ExpectKeys)
    timeout: MaybeTimeout = Field(default_factory=Timeout, description="Goes over the target's.")
    safe: Flag = Field(default=True, description="false: never sent again where the server may have acted on it.")

    @property
    def has_json(self) -> bool:
        return "json_" in self.model_fields_set


class RetryKeys(Keys):
    """Which attempts are tried again."""

    on: list[RetryWord] = Field(
        ["429", "503", "5xx", "connect", "timeout"], description="Statuses, classes of them, and faults."
    )
    max_attempts: Attempts = Field(10, description="For each request, the first one included.")
    deadline: MaybeDuration = Field(None, description="For each request, from the time it was due.")


class Manifest(Keys):
    """What a pipeline sends, how fast, and what makes it pass."""

    version: Version = Field(1, description="The version of this format.")
    name: Text = Field("", description="Shown in summary and report.")
    target: Target
    rate_limit: Annotated[RateLimit, BeforeValidator(_spread_rate)] = Field(
        default_factory=RateLimit, description="The ceiling: a rate, or a mapping. Default 300/s.", examples=["300/s"]
    )
    requests: list[RequestKeys] = Field(description="What is sent, in this order.")
    retry: RetryKeys = Field(default_factory=RetryKeys)
    deadline: MaybeDuration = Field(None, description="For the whole run; reaching it fails.")
    thresholds: list[ThresholdLine] = Field(
        [],
        description="What makes the run pass; failed <= 0% and unsent <= 0% hold unless given.",
        examples=[["failed <= 0%", "p95 < 200ms"]],
    )
    probes: list[ProbeKeys] = Field(
        [],
        description="What the fleet tells of itself: read before, during and after the run.",
        examples=[
            [{"name": "queue", "kind": "prometheus", "url": "${METRICS_URL}", "metric": "inference_queue_length"}]
        ],
    )


def validate(value: object, folder: str) -> "Manifest | list[Mapping[str, Any]]":
    """Give the manifest, or pydantic's list of everything that is wrong with it."""
    try:
        return Manifest.model_validate(value, context={"folder": folder})
    except ValidationError as error:
        return [dict(fault) for fault in error.errors(include_url=False)]


def validate_request(value: object, folder: str) -> "RequestKeys | None":
    """Give one request, if nothing is wrong with it."""
    try:
        return RequestKeys.model_validate(value, context={"folder": folder})
    except ValidationError:
        return None


_MODELS: dict[tuple[str, ...], type[BaseModel]] = {
    (): Manifest,
    ("target",): Target,
    ("target", "timeout"): Timeout,
    ("target", "tls"): Tls,
    ("rate_limit",): RateLimit,
    ("requests",): RequestKeys,
    ("requests", "timeout"): Timeout,
    ("requests", "expect"): ExpectKeys,
    ("retry",): RetryKeys,
    ("probes",): ProbeKeys,
}


def known_keys() -> dict[tuple[str, ...], list[str]]:
    """List the keys of each mapping of the manifest; its path is without indices."""
    return {
        path: [field.alias or name for name, field in model.model_fields.items()] for path, model in _MODELS.items()
    }
