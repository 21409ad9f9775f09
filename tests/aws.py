"""A stand-in for AWS on loopback: moto's server, over real HTTP, with credentials that are none."""

import contextlib
import os
from collections.abc import Iterator

SECRET = "s3cret-access-key"
REGION = "eu-central-1"


@contextlib.contextmanager
def serve_aws() -> Iterator[str]:
    """Serve it for the length of a block, and give its URL. What it holds is one per process."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def environ_of(url: str) -> dict[str, str]:
    """Give the environment in which AWS's own tools find an endpoint, and no files of the user's."""
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_EC2_METADATA_DISABLED": "true",
    }
