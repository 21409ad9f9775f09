"""Makes httpx requests for one target, the costly parts once. Knows nothing of connections."""

import httpx

from burstctl.plan import Request, Target

_MOST_CACHED = 1024


class RequestTemplate:
    """Builds a fresh `httpx.Request` for each attempt; URLs are parsed once for each distinct target."""

    __slots__ = ("_host", "_method", "_origin", "_urls")

    def __init__(self, target: Target) -> None:
        self._origin = httpx.URL(target.base_url).copy_with(path="/", query=None)
        self._host = self._origin.netloc
        self._urls: dict[str, httpx.URL] = {}

    def build(self, request: Request, connect_s: float) -> httpx.Request:
        """Make the request to be sent; `ValueError` where its text can't go on the wire."""
        headers = [(name.encode("ascii"), _header_value(value)) for name, value in request.headers]
        names = {name.lower() for name, _ in headers}
        if b"host" not in names:
            headers.insert(0, (b"Host", self._host))
        if request.body or request.method in {"POST", "PUT", "PATCH"}:
            headers.append((b"Content-Length", str(len(request.body)).encode()))
        return httpx.Request(
            request.method,
            self._url(request.target),
            headers=headers,
            stream=httpx.ByteStream(request.body),
            extensions={"timeout": {"connect": connect_s, "read": None, "write": None, "pool": None}},
        )

    def _url(self, target: str) -> httpx.URL:
        url = self._urls.get(target)
        if url is None:
            if not target.startswith("/") or not all("!" <= char <= "~" for char in target):
                raise ValueError("a control character or blank in the path")
            url = self._origin.copy_with(raw_path=target.encode("ascii"))
            if len(self._urls) < _MOST_CACHED:
                self._urls[target] = url
        return url


def _header_value(value: str) -> bytes:
    raw = value.encode("latin-1") if value.isascii() else value.encode()
    if any((byte < 32 and byte != 9) or byte == 127 for byte in raw):
        raise ValueError("a control character in a header")
    return raw
