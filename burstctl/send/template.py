"""Makes httpx requests for one target, the costly parts once. Knows nothing of connections."""

import httpx

from burstctl.plan import Request, Target

_MOST_CACHED = 1024


class RequestTemplate:
    """Builds a fresh `httpx.Request` for each attempt; URLs are parsed once for each distinct target."""

    __slots__ = ("_host", "_names", "_origin", "_urls")

    def __init__(self, target: Target) -> None:
        self._origin = httpx.URL(target.base_url).copy_with(path="/", query=None)
        self._host = self._origin.netloc
        self._urls: dict[str, tuple[httpx.URL, bytes]] = {}
        self._names: dict[str, bytes] = {}

    def build(self, request: Request, connect_s: float) -> httpx.Request:
        """Make the request to be sent; `httpx.LocalProtocolError` where its text can't be put in bytes.

        What those bytes would do to the protocol is the transport's to check.
        """
        names = self._names
        try:
            headers = [(names.get(name) or self._name(name), value.encode()) for name, value in request.headers]
        except UnicodeEncodeError as error:
            raise httpx.LocalProtocolError("a header holds text that is not valid Unicode") from error
        if not any(name.lower() == b"host" for name, _ in headers):
            headers.insert(0, (b"Host", self._host))
        if request.body or request.method in {"POST", "PUT", "PATCH"}:
            headers.append((b"Content-Length", b"%d" % len(request.body)))
        url, target = self._urls.get(request.target) or self._url(request.target)
        return httpx.Request(
            request.method,
            url,
            headers=headers,
            stream=httpx.ByteStream(request.body),
            extensions={
                "timeout": {"connect": connect_s, "read": None, "write": None, "pool": None},
                # A URL is put in its normal form, and the wire gets what was asked for.
                "target": target,
            },
        )

    def _name(self, name: str) -> bytes:
        if not name.isascii():
            raise httpx.LocalProtocolError("a header name that is not ASCII")
        raw = name.encode("ascii")
        if len(self._names) < _MOST_CACHED:
            self._names[name] = raw
        return raw

    def _url(self, target: str) -> tuple[httpx.URL, bytes]:
        if not target.startswith("/") or not all("!" <= char <= "~" for char in target):
            raise httpx.LocalProtocolError("a control character or blank in the path")
        raw = target.encode("ascii")
        entry = (self._origin.copy_with(raw_path=raw), raw)
        if len(self._urls) < _MOST_CACHED:
            self._urls[target] = entry
        return entry
