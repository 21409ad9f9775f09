"""What a manifest says of each kind of probe: its keys, its series, its rhythm. Knows no kind's code."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    """The keys of one kind beside those that every probe has."""

    needs: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    """Exactly one of them."""
    may: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    """What it tells beside its own value."""
    every_s: float = 1.0
    timeout_s: float = 2.0
    recovery_s: float | None = 60.0
    """How long its return to the baseline is watched; None: what it tells is not a load, and nothing has to return."""
    is_metered: bool = False
    """Readings are limited or paid for: never more often than `every`."""

    @property
    def keys(self) -> tuple[str, ...]:
        return (*self.needs, *self.either, *self.may)


KINDS: Mapping[str, Kind] = {
    "prometheus": Kind(needs=("url",), either=("metric", "preset"), may=("labels", "over", "headers")),
    "json": Kind(needs=("url", "pointer"), may=("headers",)),
    "log": Kind(needs=("pattern",), either=("file", "command")),
    "command": Kind(needs=("command",)),
    "redis": Kind(needs=("url", "key"), may=("type",)),
    # Their own APIs limit callers: the rhythm of a local probe would spend a whole account's quota.
    "sqs": Kind(
        needs=("queue_url",), may=("region",), series=("in_flight",), every_s=5.0, timeout_s=5.0, is_metered=True
    ),
    "cloudwatch": Kind(
        needs=("namespace", "metric"),
        may=("statistic", "period", "dimensions", "region"),
        every_s=15.0,
        timeout_s=5.0,
        is_metered=True,
        # Datapoints come a minute late or more: waiting for one is worth it only where a threshold asks for it.
        recovery_s=0.0,
    ),
    "aws-target-health": Kind(
        needs=("target_group",),
        may=("region",),
        series=("healthy", "unhealthy", "initial", "draining", "unused", "unavailable"),
        every_s=5.0,
        timeout_s=5.0,
        is_metered=True,
        recovery_s=None,
    ),
    "aws-scaling": Kind(
        needs=("group",),
        may=("region",),
        series=("in_service", "desired", "launches", "terminations"),
        every_s=5.0,
        timeout_s=5.0,
        is_metered=True,
        recovery_s=None,
    ),
}

PRESETS = (
    *("vllm", "vllm-ray", "sglang", "tgi", "triton", "dynamo", "torchserve"),
    *("ray-serve", "bentoml", "burstctl"),
)
OVER = ("sum", "max", "mean")
REDIS_TYPES = ("list", "stream", "zset")
