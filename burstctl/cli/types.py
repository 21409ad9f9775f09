"""Quantities as command-line values: what can't be read is a usage error that says what was expected."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from burstctl.units import parse_duration, parse_rate

T = TypeVar("T")


class RateType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A rate in requests/s (`300/s`, `0.5/s`, `18000/min`)."""

    name = "rate"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return read(self, parse_rate, value, param, ctx)


class JobsType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A number of parallel jobs, or `auto`."""

    name = "n|auto"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        text = str(value).strip().lower()
        if text == "auto":
            return text
        if not text.isascii() or not text.isdigit() or int(text) < 1:
            self.fail(f"expected a number from 1, or auto, found {text!r}", param, ctx)
        return int(text)


class DurationType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A duration in seconds (`40ms`, `30s`, `10m`)."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return read(self, parse_duration, value, param, ctx)


class SharingType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """How jobs share a ceiling: `host`, `none` or a Redis URL; never with a password where others could see it."""

    name = "host|url"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value).strip()
        name = None if param is None else param.name
        told_by = None if ctx is None or name is None else ctx.get_parameter_source(name)
        has_password = ":" in text.rpartition("@")[0].partition("://")[2]
        if has_password and told_by is not ParameterSource.ENVIRONMENT:
            self.fail("a password can't stand here: set BURSTCTL_RUN_SHARE, or ${...} in the manifest", param, ctx)
        return text


class ShareType(click.ParamType):  # type: ignore[type-arg]  # generic only since Click 8.4
    """A share from 0 to 1 (`0.05`, `5%`)."""

    name = "share"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        return read(self, _parse_share, value, param, ctx)


def read(
    kind: "click.ParamType[Any]",
    parse: Callable[[object], T],
    value: object,
    param: click.Parameter | None,
    ctx: click.Context | None,
    *,
    shown: bool = True,
) -> T:
    """Read a value with `parse`; its `ValueError` becomes the usage error, without the value if that may be secret."""
    try:
        return parse(value)
    except ValueError as error:
        kind.fail(f"{value!r}: {error}" if shown else str(error), param, ctx)


def _parse_share(value: object) -> float:
    text = str(value).strip()
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ValueError("expected a share such as 0.05 or 5%, from 0 to 1")
    return share
