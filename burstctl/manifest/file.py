"""Files that a manifest names: they must be there, readable, and of their kind. Keeps nothing of what is in them."""

import ssl
from pathlib import Path

from burstctl.manifest import leaf
from burstctl.manifest.data import check_suffix
from burstctl.manifest.problem import RejectedError


def read_file(value: object, folder: str) -> str:
    """Read the name of a file that must be there; relative to the manifest's folder."""
    name = leaf.read_text(value)
    if not name or "\0" in name:
        raise RejectedError("expected the path of a file")
    path = Path(folder, name)
    try:
        if path.is_file():
            with path.open("rb"):
                return str(path)
        reason = "is not a file" if path.exists() else "does not exist"
    except OSError as error:
        reason = f"can't be read: {error.strerror}"
    start = "the current directory" if folder in ("", ".") else folder
    raise RejectedError(f"the file {name} {reason}", f"paths are relative to {start}")


def read_data_file(value: object, folder: str) -> str:
    check_suffix(leaf.read_text(value))
    return read_file(value, folder)


def read_ca(value: object, folder: str) -> str:
    """Read the name of a file with CA certificates."""
    path = read_file(value, folder)
    try:
        ssl.create_default_context(cafile=path)
    except (ssl.SSLError, ValueError):
        raise RejectedError(f"the file {path} holds no CA certificate", "it must be PEM text") from None
    return path


def check_client_certificate(cert: str, key: str | None) -> None:
    """Refuse a certificate and key that do not belong together, or that ask for a password."""
    try:
        ssl.create_default_context().load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError):
        raise RejectedError(
            "cert and key are no client certificate and its private key",
            "both must be PEM text, the key without password",
        ) from None
