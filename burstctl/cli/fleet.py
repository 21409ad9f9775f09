"""`burstctl fleet`: a simulated inference fleet on loopback. Knows options, streams and signals, not the fleet."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from burstctl.cli.limits import raise_file_limit
from burstctl.cli.types import DurationType, RateType, ShareType, read
from burstctl.units import parse_duration, parse_rate

if TYPE_CHECKING:
    from burstctl.fleet.spec import FleetSpec
    from burstctl.fleet.stats import FleetStats

_DEFAULT_RATE_PER_S = 150.0
_DEFAULT_MEAN_S = 0.040
_DEFAULT_QUEUE_LIMIT = 200


class QuotaType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """`RATE[:BUCKET]` as requests/s and tokens; the bucket holds one second's worth by default."""

    name = "rate[:bucket]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        return read(self, _parse_quota, value, param, ctx)


class StepType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """`T:RPS` as seconds since the start and requests/s; in the environment one per line."""

    name = "t:rps"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        return read(self, _parse_step, value, param, ctx)

    def split_envvar_value(self, rv: str) -> list[str]:
        return [line.strip() for line in rv.splitlines() if line.strip()]


_option = partial(click.option, show_envvar=True)


@click.command("fleet")
@_option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 takes a free one.")
@_option("--instances", type=click.IntRange(1), show_default="3", help="Instances, each with one worker.")
@_option("--rps-per-instance", type=RateType(), show_default="150/s", help="Capacity of one instance.")
@_option(
    "--slots",
    type=click.IntRange(1),
    show_default="one per instance",
    help="Requests served at once by the whole fleet.",
)
@_option(
    "--service-mean",
    type=DurationType(),
    show_default="40ms with --slots, else 1 ÷ rate",
    help="Mean service time; capacity = slots ÷ mean.",
)
@_option(
    "--service-time",
    type=click.Choice(["fixed", "lognormal", "exponential"]),
    default="lognormal",
    show_default=True,
    help="Distribution of the service time.",
)
@_option(
    "--queue-limit",
    type=click.IntRange(0),
    show_default="no limit; 200 with --overload 503 or 429",
    help="Requests that may wait; more are refused.",
)
@_option(
    "--overload",
    type=click.Choice(["queue", "503", "429"]),
    show_default="queue; 503 with --queue-limit",
    help="What happens above capacity: queue without bound, or refuse at the limit with this status.",
)
@_option(
    "--quota",
    type=QuotaType(),
    show_default="none",
    help="Token bucket that answers 429; the bucket holds one second's worth unless given.",
)
@_option(
    "--retry-after",
    type=DurationType(),
    show_default="computed for 429, none for 503",
    help="Retry-After of each 429 and 503, in whole seconds.",
)
@_option(
    "--policy-header",
    is_flag=True,
    show_default="off",
    help="Tell the quota in RateLimit-Policy and RateLimit headers.",
)
@_option(
    "--error-rate", type=ShareType(), default="0%", show_default=True, help="Share of requests that fail at random."
)
@_option(
    "--error-status",
    type=click.IntRange(400, 599),
    default=500,
    show_default=True,
    help="Status of the requests that fail at random.",
)
@_option(
    "--step",
    type=StepType(),
    multiple=True,
    show_default="none",
    help="New capacity from T after the start, such as 10s:75; 0 is an outage. Repeatable.",
)
@_option("--seed", type=int, default=0, show_default=True, help="Seed of service times and errors.")
def command(*, port: int, **options: Any) -> None:
    """Run a simulated inference fleet on loopback, with /predict, /healthz, /metrics, /stats and /reset.

    The first line of output is its URL. It runs until SIGINT or SIGTERM.
    """
    import asyncio

    spec = _build_spec(**options)
    raise_file_limit()
    stats = asyncio.run(_serve(spec, port))
    click.echo(_summarize(stats), err=True)


def _build_spec(
    *,
    instances: int | None,
    rps_per_instance: float | None,
    slots: int | None,
    service_mean: float | None,
    service_time: str,
    queue_limit: int | None,
    overload: str | None,
    quota: tuple[float, float] | None,
    retry_after: float | None,
    policy_header: bool,
    error_rate: float,
    error_status: int,
    step: tuple[tuple[float, float], ...],
    seed: int,
) -> "FleetSpec":
    from burstctl.fleet.spec import FleetSpec, Quota, ServiceTime, Step

    if slots is None and service_mean is not None:
        raise click.UsageError("--service-mean needs --slots.")
    if slots is not None and (instances is not None or rps_per_instance is not None):
        raise click.UsageError("Give --slots and --service-mean, or --instances and --rps-per-instance, not both.")
    if overload == "queue" and queue_limit is not None:
        raise click.UsageError("--overload queue has no bound: leave out --queue-limit.")
    if retry_after is not None and not retry_after.is_integer():
        raise click.UsageError("--retry-after must be whole seconds.")
    if queue_limit is None and overload in {"503", "429"}:
        queue_limit = _DEFAULT_QUEUE_LIMIT
    try:
        return FleetSpec(
            slots=slots or instances or 3,
            service_mean_s=(service_mean or _DEFAULT_MEAN_S)
            if slots
            else 1 / (rps_per_instance or _DEFAULT_RATE_PER_S),
            service_time=ServiceTime(service_time),
            queue_limit=queue_limit,
            overload_status=429 if overload == "429" else 503,
            quota=Quota(*quota) if quota else None,
            retry_after_s=None if retry_after is None else int(retry_after),
            policy_header=policy_header,
            error_share=error_rate,
            error_status=error_status,
            capacity_steps=tuple(Step(at_s, rps) for at_s, rps in step),
            seed=seed,
        )
    except ValueError as error:
        raise click.UsageError(f"{error}.") from error


async def _serve(spec: "FleetSpec", port: int) -> "FleetStats":
    import asyncio
    import signal

    from burstctl.fleet.server import serve

    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        # Not `loop.add_signal_handler`, which Windows lacks.
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop.set))
    async with await serve(spec, port=port) as server:
        click.echo(server.url)
        await stop.wait()
        return server.stats()


def _summarize(stats: "FleetStats") -> str:
    statuses = ", ".join(f"{status}: {count:,}" for status, count in stats.status.items()) or "none"
    return (
        f"{stats.arrivals:,} arrivals, at most {stats.max_arrivals_1s:,} in a second; peak queue {stats.peak_queue:,}\n"
        f"answers by status: {statuses}; {stats.abandoned:,} abandoned by their clients"
    )


def _parse_quota(value: object) -> tuple[float, float]:
    rate_text, colon, bucket_text = str(value).partition(":")
    try:
        rate_per_s = parse_rate(rate_text)
        bucket = float(bucket_text) if colon else max(1.0, rate_per_s)
    except ValueError:
        raise ValueError("expected RATE[:BUCKET], such as 150/s or 150/s:15") from None
    return rate_per_s, bucket


def _parse_step(value: object) -> tuple[float, float]:
    time_text, _, rate_text = str(value).partition(":")
    try:
        at_s = 0.0 if time_text.strip() in {"0", "0s"} else parse_duration(time_text)
        capacity_rps = 0.0 if rate_text.strip() in {"0", "0/s"} else parse_rate(rate_text)
    except ValueError:
        raise ValueError("expected T:RPS, such as 10s:75 or 20s:0") from None
    return at_s, capacity_rps
