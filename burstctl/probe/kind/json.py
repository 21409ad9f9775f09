"""A number in a JSON document behind a URL, found by a JSON pointer (RFC 6901). Knows no transport."""

import json
from collections.abc import Sequence

from burstctl.probe.number import number
from burstctl.probe.probe import MAIN, Means, Probe, ProbeError, Reading
from burstctl.probe_settings import ProbeSettings

KIND = "json"
HINT = "get the url from this machine, by curl, and follow the pointer in the answer"

MOST_BYTES = 2**20


def make(settings: ProbeSettings, means: Means) -> Probe:
    """Make the probe that a manifest asks for."""
    return _Json(settings, means)


class _Json:
    def __init__(self, settings: ProbeSettings, means: Means) -> None:
        self._url = settings.text("url")
        self._headers = {"accept": "application/json", **settings.mapping("headers")}
        self._pointer = settings.text("pointer")
        self._fetch = means.fetch

    async def read(self) -> Sequence[Reading]:
        body = await self._fetch(self._url, self._headers, MOST_BYTES)
        try:
            document = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise ProbeError("the answer is not valid JSON") from error
        return [{MAIN: number_at(document, self._pointer)}]

    async def aclose(self) -> None:
        """Connections are the fetcher's."""


def number_at(document: object, pointer: str) -> float:
    """Follow a pointer to a number, a text that is one, or a list, whose length counts; raises `ProbeError`."""
    found = document
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isascii() and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise ProbeError(f"nothing stands at {pointer}")
    if isinstance(found, list):
        return float(len(found))
    value = None
    if isinstance(found, str | int | float) and not isinstance(found, bool):
        value = number(str(found).strip())
    if value is None:
        raise ProbeError(f"what stands at {pointer or 'the top'} is no number")
    return value
