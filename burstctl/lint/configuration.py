"""Reads lint's settings out of `[tool.burstctl.lint]`; what can't be read is one clear message. Knows no options."""

import os
import re
from collections.abc import Callable, Mapping

from burstctl.errors import UsageError
from burstctl.lint.settings import FILES, OWN_FILE, Settings
from burstctl.pattern import pattern
from burstctl.units import parse_duration, parse_rate

_CODE = pattern(r"BL\d{0,3}")
_LARGEST = 2 * 1024 * 1024


def find_settings(root: str | os.PathLike[str]) -> Settings:
    """Read a project's settings from its `.burstctl.toml`, else its `pyproject.toml`, else give the defaults."""
    for name in FILES:
        place = os.path.join(root, name)
        if os.path.isfile(place):
            table = _table(_toml(place), place)
            if table is not None:
                return settings_from(table, place)
    return Settings()


def settings_from(values: Mapping[str, object], place: str) -> Settings:
    """Read the settings' table; `place` names its file in errors."""
    fields: dict[str, object] = {}
    for key, value in values.items():
        if key not in _KEYS:
            from difflib import get_close_matches

            close = get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {close[0]}?" if close else f"the keys are {', '.join(_KEYS)}"
            raise UsageError(f"{place}: [tool.burstctl.lint] has no key {key}", hint=hint)
        field, parse = _KEYS[key]
        try:
            fields[field] = parse(value)
        except ValueError as error:
            raise UsageError(f"{place}: [tool.burstctl.lint] {key}: {error}") from None
    return Settings(**fields)  # type: ignore[arg-type]  # each parser gives its field's type


def read_codes(value: object) -> tuple[str, ...]:
    """Read codes of rules, or their beginnings, such as BL101 or BL3."""
    codes = _texts(value)
    for code in codes:
        if not _CODE.fullmatch(code):
            raise ValueError(f"expected codes such as BL101 or BL3, found {code!r}")
        _check_known(code)
    return codes


def _check_known(code: str) -> None:
    from burstctl.lint.rule.registry import codes

    if not any(known.startswith(code) for known in codes()):
        from difflib import get_close_matches

        close = get_close_matches(code, codes(), n=1)
        raise ValueError(f"there is no rule {code}" + (f": did you mean {close[0]}?" if close else ""))


def _toml(place: str) -> Mapping[str, object]:
    import tomllib  # takes as long as reading a pipeline does

    try:
        if os.stat(place).st_size > _LARGEST:
            raise UsageError(f"{place} is larger than any configuration", hint=f"{_LARGEST:,} bytes is the limit")
        with open(place, encoding="utf-8") as file:
            return tomllib.loads(file.read())
    except OSError as error:
        raise UsageError(f"can't read {place}: {(error.strerror or 'unknown reason').lower()}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{place} is not UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{place} is not valid TOML: {error}") from None


def _table(document: Mapping[str, object], place: str) -> Mapping[str, object] | None:
    """Give lint's table; `.burstctl.toml` may have it as `[lint]`, too."""
    if os.path.basename(place) == OWN_FILE and "lint" in document:
        return _mapping_at(document, ("lint",), place)
    table = _mapping_at(document, ("tool", "burstctl", "lint"), place)
    if table is None and os.path.basename(place) == OWN_FILE and document:
        raise UsageError(f"{place} has no [tool.burstctl.lint]", hint="write lint's settings under that heading")
    return table


def _mapping_at(document: Mapping[str, object], keys: tuple[str, ...], place: str) -> Mapping[str, object] | None:
    value: object = document
    for key in keys:
        if not isinstance(value, Mapping):
            break
        if key not in value:
            return None
        value = value[key]
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: {'.'.join(keys)} must be a table")
    return value


def _texts(value: object) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) and one for one in values):
        raise ValueError("expected a list of texts")
    return tuple(values)


def _patterns(value: object) -> tuple[str, ...]:
    patterns = _texts(value)
    for one in patterns:
        try:
            re.compile(one)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"{one!r} is no regular expression: {error}") from None
    return patterns


def _codes_by_path(value: object) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        raise ValueError('expected a table such as {"legacy/*" = ["BL101"]}')
    return {str(pattern): read_codes(codes) for pattern, codes in value.items()}


def _include_map(value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or not all(isinstance(one, str) for one in value.values()):
        raise ValueError('expected a table such as {"project:group/name/file.yml" = "path/in/this/project.yml"}')
    for source in value:
        if not str(source).startswith(("project:", "remote:", "template:", "component:")):
            raise ValueError(f"{source!r} must begin with project:, remote:, template: or component:")
    return {str(source): str(path) for source, path in value.items()}


_KEYS: Mapping[str, tuple[str, Callable[[object], object]]] = {
    "budget": ("budget_per_s", parse_rate),
    "stages": ("stages", _texts),
    "jobs": ("jobs", _texts),
    "select": ("select", read_codes),
    "ignore": ("ignore", read_codes),
    "per-file-ignores": ("per_file_ignores", _codes_by_path),
    "include-map": ("include_map", _include_map),
    "exclude": ("exclude", _texts),
    "rate-variables": ("rate_variables", _texts),
    "inference-patterns": ("inference_patterns", _patterns),
    "fleet": ("fleet", _texts),
    "queue-metrics": ("queue_metrics", _texts),
    "health-check": ("health_check_s", parse_duration),
    "longest-request": ("longest_request_s", parse_duration),
    "balancer-idle-timeout": ("balancer_idle_timeout_s", parse_duration),
}
"""Each key's field, and what reads its value."""
