"""Which values of one manifest are secret. Knows where they stand, not where they could be printed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from urllib.parse import unquote, urlsplit

from burstctl.interpolate import Template, Use
from burstctl.manifest.probe.settle import find_probe_secrets
from burstctl.manifest.schema import Manifest
from burstctl.secret import is_secret_name

_TARGET = frozenset({"headers", "query"})
_REQUEST = frozenset({"headers", "query", "json", "body", "expect"})


def find_secrets(manifest: Manifest, uses: Sequence[Use]) -> Iterator[str]:
    """Give every value that no output may show."""
    yield from (use.value for use in uses if _is_carried(use, manifest))
    if manifest.target.base_url.user_info:
        yield from _user_info(*manifest.target.base_url.user_info)
    if manifest.target.proxy:
        proxy = urlsplit(manifest.target.proxy)
        yield from _user_info(unquote(proxy.username or ""), unquote(proxy.password or ""))
    if manifest.rate_limit.share:
        # Never the user, who is called "default" where nobody said otherwise.
        yield unquote(urlsplit(manifest.rate_limit.share).password or "")
    yield from find_probe_secrets(manifest.probes, uses)
    for values in _named_values(manifest):
        yield from (value.constant or "" for name, value in values.items() if is_secret_name(name))


def find_variables(manifest: Manifest, uses: Iterable[Use]) -> Iterator[tuple[str, str]]:
    """Give name and value of every variable whose value no output may show."""
    login = manifest.target.base_url.user_info or ()
    for use in uses:
        if _is_carried(use, manifest) or (use.path == ("target", "base_url") and use.value in login):
            yield use.name, use.value


def carries_credentials(manifest: Manifest) -> bool:
    """Tell whether a request takes a credential along, other than `base_url`'s own user info."""
    return any(is_secret_name(name) for values in _named_values(manifest) for name in values)


def _named_values(manifest: Manifest) -> Iterator[Mapping[str, Template]]:
    yield from (manifest.target.headers, manifest.target.query)
    for request in manifest.requests:
        yield from (request.headers, request.query)


def _is_carried(use: Use, manifest: Manifest) -> bool:
    """Tell whether a value goes over the wire where credentials do, or is one by its variable's name."""
    if is_secret_name(use.name):
        return True
    match use.path:
        case "target", key, *_:
            return key in _TARGET
        case "requests", int(i), "path":
            written = "".join(part for part in manifest.requests[i].path.parts if isinstance(part, str))
            return use.value in written.partition("?")[2]
        case "requests", _, key, *_:
            return key in _REQUEST
    return False


def _user_info(user: str, password: str) -> Iterator[str]:
    # Together as well: that is what basic authentication encodes.
    yield from (user, password, f"{user}:{password}") if user or password else ()
