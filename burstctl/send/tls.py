"""The TLS context of a run, made of what the manifest says. Knows nothing of connections."""

import ssl

import httpx

from burstctl.plan import Target


def ssl_context(target: Target) -> ssl.SSLContext:
    """Make the one TLS context of a run: the manifest's CA or the system's, its client certificate, its `verify`.

    Raises OSError for files that can't be read or are not certificates.
    """
    if not target.base_url.startswith("https:"):
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used; loading no CA saves its time
    tls = target.tls
    context = httpx.create_ssl_context() if tls.ca is None else ssl.create_default_context(cafile=tls.ca)
    if not tls.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if tls.cert is not None:
        context.load_cert_chain(tls.cert, tls.key)
    return context
