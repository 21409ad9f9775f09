"""The manifest's JSON Schema, for editors and for checks without burstctl. Made from the models, never by hand."""

from typing import Any

from burstctl.manifest import shape
from burstctl.manifest.schema import Manifest


def manifest_schema() -> dict[str, Any]:
    """Give the schema, draft 7: the newest that YAML editors know well."""
    schema = Manifest.model_json_schema()
    definitions = schema["$defs"]
    # These keys take a scalar as well, which the models see only after it was spread into a mapping.
    _allow(schema, "rate_limit", shape.RATE)
    _allow(definitions["Target"], "timeout", shape.nullable(shape.DURATION))
    _allow(definitions["RequestKeys"], "timeout", shape.nullable(shape.DURATION))
    definitions["RequestKeys"]["allOf"] = [
        {"not": {"required": [one, other]}}
        for one, other in (("json", "body"), ("json", "body_file"), ("body", "body_file"))
    ]
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:burstctl:schema:manifest:1",
        **schema,
        "title": "burstctl manifest, version 1",
    }


def _allow(model: dict[str, Any], key: str, scalar: shape.Shape) -> None:
    described = model["properties"][key]
    mapping = {"$ref": described.pop("$ref")}
    described["anyOf"] = [scalar, mapping]
