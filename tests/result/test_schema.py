"""The report's schema: it takes every report that is written, and no key that is not."""

import json
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from burstctl.report import json as json_report
from burstctl.result.read import Saved
from burstctl.result.schema import report_schema

GOLDEN = sorted((Path(__file__).parent.parent / "report" / "golden" / "json").glob("*.txt"))


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(report_schema())


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_takes_every_report(path: Path) -> None:
    jsonschema.validate(json.loads(path.read_text()), report_schema())


@pytest.mark.parametrize("key", ["verdict", "latency_ms", "timeline", "settings", "probes"])
def test_refuses_a_report_that_lacks_a_key_or_has_another(key: str, make: Callable[..., Saved]) -> None:
    saved = make()
    document = json.loads(json_report.render(saved.summary, saved.verdict))
    jsonschema.validate(document, report_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, f"{key}x": 1}, report_schema())
    del document[key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, report_schema())
