"""The kinds of values that keys of a manifest take, as pydantic reads them and as the JSON Schema shows them.

Knows no key; `leaf.py` and `file.py` do the reading.
"""

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, PlainValidator, ValidationInfo, WithJsonSchema

from burstctl.expect import Statuses
from burstctl.interpolate import Template
from burstctl.manifest import file, leaf, shape
from burstctl.manifest.address import BaseUrl
from burstctl.manifest.header import check_name
from burstctl.threshold import Threshold


class Keys(BaseModel):
    """A mapping whose keys are all known."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", arbitrary_types_allowed=True)


def maybe(parse: Callable[[object], object]) -> PlainValidator:
    """Read what may be absent."""
    return PlainValidator(lambda value: None if value is None else parse(value))


def _in_folder(parse: Callable[[object, str], str]) -> PlainValidator:
    def read(value: object, info: ValidationInfo) -> str | None:
        assert info.context is not None
        return None if value is None else parse(value, info.context["folder"])

    return PlainValidator(read)


Text = Annotated[str, PlainValidator(leaf.read_text), WithJsonSchema(shape.TEXT)]
Name = Annotated[str, PlainValidator(leaf.read_name), WithJsonSchema(shape.TEXT)]
Flag = Annotated[bool, PlainValidator(leaf.read_flag), WithJsonSchema(shape.FLAG)]
Version = Annotated[int, PlainValidator(leaf.read_version), WithJsonSchema({"const": 1})]
Rate = Annotated[float, PlainValidator(leaf.read_rate), WithJsonSchema(shape.RATE)]
Duration = Annotated[float, PlainValidator(leaf.read_duration), WithJsonSchema(shape.DURATION)]
MaybeDuration = Annotated[float | None, maybe(leaf.read_duration), WithJsonSchema(shape.nullable(shape.DURATION))]
Size = Annotated[int, PlainValidator(leaf.read_size), WithJsonSchema(shape.SIZE)]
Count = Annotated[int, PlainValidator(leaf.whole_number(0, leaf.MOST_REQUESTS)), WithJsonSchema(shape.whole(0))]
MaybeWindow = Annotated[
    int | None, maybe(leaf.whole_number(1, leaf.MOST_IN_FLIGHT)), WithJsonSchema(shape.nullable(shape.whole(1)))
]
Attempts = Annotated[
    int, PlainValidator(leaf.whole_number(1, leaf.MOST_ATTEMPTS)), WithJsonSchema(shape.whole(1, leaf.MOST_ATTEMPTS))
]
Workers = Annotated[
    int, PlainValidator(leaf.whole_number(1, leaf.MOST_WORKERS)), WithJsonSchema(shape.whole(1, leaf.MOST_WORKERS))
]
Jobs = Annotated[
    int | None, PlainValidator(leaf.read_jobs), WithJsonSchema(shape.either(shape.choice(("auto",)), shape.whole(1)))
]
MaybeJob = Annotated[
    int | None, maybe(leaf.whole_number(1, leaf.MOST_JOBS)), WithJsonSchema(shape.nullable(shape.whole(1)))
]
Split = Annotated[str, PlainValidator(leaf.choice(leaf.SPLITS)), WithJsonSchema(shape.choice(leaf.SPLITS))]
MaybeShare = Annotated[str | None, maybe(leaf.read_share), WithJsonSchema(shape.nullable(shape.SHARE))]
OnShareLoss = Annotated[
    str, PlainValidator(leaf.choice(leaf.ON_SHARE_LOSS)), WithJsonSchema(shape.choice(leaf.ON_SHARE_LOSS))
]
Controller = Annotated[
    str, PlainValidator(leaf.choice(leaf.CONTROLLERS)), WithJsonSchema(shape.choice(leaf.CONTROLLERS))
]
Method = Annotated[
    str | None,
    maybe(leaf.choice(leaf.METHODS, fold=str.upper)),
    WithJsonSchema(shape.nullable(shape.choice(leaf.METHODS))),
]
Http = Annotated[str, PlainValidator(leaf.read_http), WithJsonSchema(shape.HTTP)]
Url = Annotated[BaseUrl, PlainValidator(leaf.read_base_url), WithJsonSchema(shape.URL)]
Proxy = Annotated[str | None, maybe(leaf.read_proxy), WithJsonSchema(shape.nullable(shape.URL))]
RequestPath = Annotated[Template, PlainValidator(leaf.read_path), WithJsonSchema(shape.PATH)]
Body = Annotated[Template | None, maybe(leaf.read_template), WithJsonSchema(shape.nullable(shape.TEXT))]
HeaderName = Annotated[str, PlainValidator(check_name), WithJsonSchema(shape.TEXT)]
Header = Annotated[Template, PlainValidator(leaf.read_header), WithJsonSchema(shape.PARAMETER)]
Parameter = Annotated[Template, PlainValidator(leaf.read_parameter), WithJsonSchema(shape.PARAMETER)]
Headers = dict[HeaderName, Header]
File = Annotated[str | None, _in_folder(file.read_file), WithJsonSchema(shape.nullable(shape.TEXT))]
DataFile = Annotated[str | None, _in_folder(file.read_data_file), WithJsonSchema(shape.nullable(shape.DATA))]
CaFile = Annotated[str | None, _in_folder(file.read_ca), WithJsonSchema(shape.nullable(shape.TEXT))]
ExpectedStatus = Annotated[Statuses, PlainValidator(leaf.read_statuses), WithJsonSchema(shape.STATUSES)]
RetryWord = Annotated[str, PlainValidator(leaf.read_retry_word), WithJsonSchema(shape.retry_word())]
ThresholdLine = Annotated[Threshold, PlainValidator(leaf.read_threshold), WithJsonSchema(shape.THRESHOLD)]
Json = Annotated[Any, WithJsonSchema({})]
