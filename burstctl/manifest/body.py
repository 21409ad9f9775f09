"""JSON with placeholders, compiled: what never changes is encoded once. Knows neither requests nor files."""

from collections.abc import Callable

from pydantic_core import to_json

from burstctl.document import resolve_plain
from burstctl.interpolate import Reader, Template

MakeUuid = Callable[[int], str]


def compile_json_text(value: object, make_uuid: MakeUuid) -> bytes | Callable[[object, int], bytes]:
    """Give compact UTF-8 JSON, or how to fill it."""
    pieces = _merge(list(_encode(value, make_uuid)))
    if len(pieces) == 1 and isinstance(pieces[0], bytes):
        return pieces[0]

    def fill(row: object, index: int) -> bytes:
        return b"".join([p if isinstance(p, bytes) else to_json(p(row, index)) for p in pieces])

    return fill


def compile_json_value(value: object, make_uuid: MakeUuid) -> tuple[object, Reader | None]:
    """Give a value with its constant templates settled, and how to fill it if any other is left."""
    if isinstance(value, dict):
        entries = {key: compile_json_value(item, make_uuid) for key, item in value.items()}
        if all(fill is None for _, fill in entries.values()):
            return {key: item for key, (item, _) in entries.items()}, None
        return None, lambda row, index: {
            key: item if fill is None else fill(row, index) for key, (item, fill) in entries.items()
        }
    if isinstance(value, list):
        items = [compile_json_value(item, make_uuid) for item in value]
        if all(fill is None for _, fill in items):
            return [item for item, _ in items], None
        return None, lambda row, index: [item if fill is None else fill(row, index) for item, fill in items]
    if isinstance(value, Template):
        scalar = _scalar(value, make_uuid)
        return (None, scalar) if callable(scalar) else (scalar, None)
    return value, None


def _encode(value: object, make_uuid: MakeUuid) -> "list[bytes | Reader]":
    if isinstance(value, Template):
        scalar = _scalar(value, make_uuid)
        return [scalar if callable(scalar) else to_json(scalar)]
    if isinstance(value, dict):
        pieces: list[bytes | Reader] = [b"{"]
        for position, (key, item) in enumerate(value.items()):
            pieces += [b"," if position else b"", to_json(key), b":", *_encode(item, make_uuid)]
        return [*pieces, b"}"]
    if isinstance(value, list):
        pieces = [b"["]
        for position, item in enumerate(value):
            pieces += [b"," if position else b"", *_encode(item, make_uuid)]
        return [*pieces, b"]"]
    return [to_json(value)]


def _scalar(template: Template, make_uuid: MakeUuid) -> "str | float | bool | Reader":
    """Give a template's value: alone a placeholder keeps its type, as does an unquoted number from the environment."""
    constant = template.constant
    if constant is not None:
        resolved = resolve_plain(constant) if template.plain else constant
        return constant if resolved is None else resolved
    if len(template.parts) == 1:
        return template.placeholders[0].reader(make_uuid)
    return template.text_reader(make_uuid)


def _merge(pieces: "list[bytes | Reader]") -> "list[bytes | Reader]":
    merged: list[bytes | Reader] = []
    for piece in pieces:
        if isinstance(piece, bytes) and merged and isinstance(merged[-1], bytes):
            merged[-1] += piece
        else:
            merged.append(piece)
    return merged
