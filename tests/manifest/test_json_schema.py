"""The JSON Schema lets editors accept what burstctl accepts, and mark what it refuses."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from burstctl.document import read_document
from burstctl.manifest.json_schema import manifest_schema

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))
GOOD = "version: 1\ntarget: {base_url: 'http://h'}\nrequests:\n  - name: a\n    path: /p\n"


@pytest.fixture(scope="module")
def validator() -> Draft7Validator:
    schema = manifest_schema()
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


def faults(validator: Draft7Validator, text: str) -> list[str]:
    value: Any = read_document(text.encode(), "m.yaml").value
    return [fault.message for fault in validator.iter_errors(value)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_every_example_is_valid(validator: Draft7Validator, example: Path) -> None:
    assert faults(validator, example.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "more",
    [
        "rate_limit: ${RATE}\n",
        "rate_limit: {rate: '${RATE:-5}', max_in_flight: '${N}', controller: fixed}\n",
        "rate_limit: 18000/min\n",
        "rate_limit: 0.5\n",
        "    count: ${N:-5}\n",
        "    timeout: ${T}\n",
        "    timeout: {total: 1m30s, idle: '${T}'}\n",
        "    timeout: 5\n",
        "    expect: {status: [200, 4xx, '${S}'], json: [1, {a: null}], max_latency: '${L}'}\n",
        "    headers: {a: x, b: 1, c: '${row.x}'}\n    json: null\n",
        "    data: ${ROWS}\n",
        "    safe: ${SAFE}\n",
        "retry: {on: [503, 5xx, timeout, connect, '${S}'], max_attempts: 3, deadline: 1m}\n",
        "thresholds: [p95 < 200ms, {a: failed <= 1%}, 'a: p99 < 1s', '${T}']\n",
        "deadline: null\nname: x\n",
    ],
)
def test_what_burstctl_reads_is_valid(validator: Draft7Validator, more: str) -> None:
    assert faults(validator, GOOD + more) == []


@pytest.mark.parametrize(
    "text",
    [
        GOOD + "ratelimit: 5\n",
        GOOD + "rate_limit: 300rps\n",
        GOOD + "rate_limit: 0\n",
        GOOD + "rate_limit: {rates: 5}\n",
        GOOD + "    metod: GET\n",
        GOOD + "    count: -1\n",
        GOOD + "    count: five\n",
        GOOD + "    timeout: soon\n",
        GOOD + "    json: 1\n    body: x\n",
        GOOD + "    expect: {status: 20}\n",
        GOOD + "retry: {on: [tiemout]}\n",
        GOOD + "thresholds: [p95]\n",
        GOOD.replace("version: 1", "version: 2"),
        GOOD.replace("http://h", "h:80"),
        GOOD.replace("/p", "p"),
        GOOD.replace("    path: /p\n", ""),
    ],
)
def test_what_burstctl_refuses_is_marked(validator: Draft7Validator, text: str) -> None:
    assert faults(validator, text) != []


def test_every_key_is_described(validator: Draft7Validator) -> None:
    schema = manifest_schema()
    assert schema["$id"]
    for model in (schema, *schema["$defs"].values()):
        assert model["description"]
        assert model["additionalProperties"] is False
        for name, key in model["properties"].items():
            assert "description" in key or "$ref" in key, name
