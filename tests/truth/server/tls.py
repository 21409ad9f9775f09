"""Certificates for servers on loopback: signed by an authority that lasts as long as the tests."""

import ssl
from functools import cache

import trustme


@cache
def authority() -> trustme.CA:
    """Give the authority that signs all of them."""
    return trustme.CA()


def context() -> ssl.SSLContext:
    """Make a server's TLS settings, with a certificate for 127.0.0.1."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority().issue_cert("127.0.0.1").configure_cert(made)
    return made


def authority_pem() -> str:
    """Give what a client needs to trust it."""
    return authority().cert_pem.bytes().decode()
