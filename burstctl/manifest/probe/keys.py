"""The shape of one entry of `probes`: every key of every kind. Which kind takes which is in `kinds.py`."""

from typing import Annotated

from pydantic import Field, PlainValidator, ValidationInfo, WithJsonSchema

from burstctl.manifest import leaf, shape
from burstctl.manifest.probe import kinds
from burstctl.manifest.probe import leaf as probe_leaf
from burstctl.manifest.probe import statistic as statistics
from burstctl.manifest.scalar import Flag, HeaderName, Keys, MaybeDuration, maybe

_MaybeText = Annotated[str | None, maybe(leaf.read_text), WithJsonSchema(shape.nullable(shape.TEXT))]


def _read_url(value: object, info: ValidationInfo) -> "probe_leaf.ProbeUrl | str | None":
    """A probe's address is of its kind, which stands before it in the model."""
    if value is None:
        return None
    return probe_leaf.read_redis_url(value) if info.data.get("kind") == "redis" else probe_leaf.read_url(value)


def _read_file(value: object, info: ValidationInfo) -> str | None:
    assert info.context is not None
    return None if value is None else probe_leaf.read_log_file(value, info.context["folder"])


Name = Annotated[
    str, PlainValidator(probe_leaf.read_name), WithJsonSchema({"type": "string", "pattern": "^[a-z][a-z0-9_]*$"})
]
KindName = Annotated[
    str, PlainValidator(leaf.choice(tuple(kinds.KINDS))), WithJsonSchema(shape.choice(tuple(kinds.KINDS)))
]
Every = Annotated[float | None, maybe(probe_leaf.read_every), WithJsonSchema(shape.nullable(shape.DURATION))]
Url = Annotated[
    "probe_leaf.ProbeUrl | str | None",
    PlainValidator(_read_url),
    WithJsonSchema(shape.nullable(shape.PROBE_URL)),
]
ProbeHeader = Annotated[str, PlainValidator(probe_leaf.read_header), WithJsonSchema(shape.PARAMETER)]
Word = Annotated[str, PlainValidator(probe_leaf.read_word), WithJsonSchema(shape.PARAMETER)]
Pointer = Annotated[str | None, maybe(probe_leaf.read_pointer), WithJsonSchema(shape.nullable(shape.TEXT))]
Pattern = Annotated[str | None, maybe(probe_leaf.read_pattern), WithJsonSchema(shape.nullable(shape.TEXT))]
Arguments = Annotated[
    list[str] | None, maybe(probe_leaf.read_arguments), WithJsonSchema(shape.nullable(shape.ARGUMENTS))
]
LogFile = Annotated[str | None, PlainValidator(_read_file), WithJsonSchema(shape.nullable(shape.TEXT))]
Period = Annotated[float | None, maybe(probe_leaf.read_period), WithJsonSchema(shape.nullable(shape.DURATION))]
Preset = Annotated[
    str | None, maybe(leaf.choice(kinds.PRESETS)), WithJsonSchema(shape.nullable(shape.choice(kinds.PRESETS)))
]
Over = Annotated[str | None, maybe(leaf.choice(kinds.OVER)), WithJsonSchema(shape.nullable(shape.choice(kinds.OVER)))]
RedisType = Annotated[
    str | None, maybe(leaf.choice(kinds.REDIS_TYPES)), WithJsonSchema(shape.nullable(shape.choice(kinds.REDIS_TYPES)))
]
Statistic = Annotated[str | None, maybe(statistics.read_statistic), WithJsonSchema(shape.nullable(statistics.SHAPE))]
MaybeProbe = Annotated[str | None, maybe(probe_leaf.read_name), WithJsonSchema(shape.nullable(shape.TEXT))]
MaybeBound = Annotated[float | None, maybe(probe_leaf.read_bound), WithJsonSchema(shape.nullable(shape.BOUND))]


class ProbeKeys(Keys):
    """A signal of the fleet, read before, during and after the run."""

    name: Name = Field(description="Unique; thresholds write it as probe.NAME.max.")
    kind: KindName = Field(description="Where the signal comes from.")
    every: Every = Field(None, description="Between two readings. Default 1s; AWS's kinds 5s, cloudwatch 15s.")
    timeout: MaybeDuration = Field(None, description="For one reading. Default 2s; AWS's kinds 5s.")
    recovery: MaybeDuration = Field(
        None, description="How long its return to the baseline is watched after the last answer. Default 60s."
    )
    required: Flag = Field(
        default=False, description="true: a threshold on it fails without a reading; otherwise it is inconclusive."
    )
    url: Url = Field(None, description="prometheus, json: http(s) URL. redis: redis://, rediss:// or unix:// URL.")
    headers: dict[HeaderName, ProbeHeader] = Field({}, description="prometheus, json: sent along.")
    metric: _MaybeText = Field(None, description="prometheus, cloudwatch: the metric's name.")
    preset: Preset = Field(None, description="prometheus: the queue metric of an inference server, by its name.")
    labels: dict[str, Word] = Field({}, description="prometheus: only series with these labels.")
    over: Over = Field(None, description="prometheus: several series are added up (sum), or max, or mean. Default sum.")
    pointer: Pointer = Field(None, description="json: where the number stands (RFC 6901); a list counts its items.")
    file: LogFile = Field(None, description="log: the file that is followed, through rotation.")
    command: Arguments = Field(
        None, description="command: prints a number. log: goes on printing. A list, no shell; needs --allow-commands."
    )
    pattern: Pattern = Field(None, description="log: a regular expression with a group named value.")
    key: _MaybeText = Field(None, description="redis: the key whose length is read.")
    type: RedisType = Field(None, description="redis: what stands at the key. Default list.")
    queue_url: _MaybeText = Field(None, description="sqs: the queue's URL.")
    namespace: _MaybeText = Field(None, description="cloudwatch: such as AWS/ApplicationELB.")
    statistic: Statistic = Field(
        None, description="cloudwatch: Average (the default), Maximum…, p95, tm99, TM(10%:90%)…"
    )
    period: Period = Field(None, description="cloudwatch: what one datapoint spans. Default 60s.")
    dimensions: dict[str, Word] = Field({}, description="cloudwatch: which of the metrics of this name.")
    target_group: _MaybeText = Field(None, description="aws-target-health: the target group's ARN.")
    group: _MaybeText = Field(None, description="aws-scaling: the Auto Scaling group's name.")
    region: _MaybeText = Field(None, description="AWS's kinds. Default: as AWS's own tools find it.")
