"""The servers that clients are measured against, each on the server's core until its block is left."""

import contextlib
import json
import socket
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from process import serve_pinned
from workload import ANSWER

_STARTS_WITHIN_S = 10.0

_NGINX = """
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    default_type application/json;
    location / {{ return 200 '{answer}'; }}
  }}
}}
"""


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What the arrival-logging server noted."""

    arrived_s: Sequence[float]
    """On the server's monotonic clock, in order."""
    served_ms: Sequence[float]


@contextlib.contextmanager
def nginx(home: Path) -> Iterator[str]:
    """Serve `ANSWER` with one nginx worker; gives the URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (home / "nginx.conf").write_text(_NGINX.format(port=port, answer=ANSWER))
    with serve_pinned(["nginx", "-p", f"{home}/", "-c", "nginx.conf", "-e", "stderr"]):
        give_up_s = time.monotonic() + _STARTS_WITHIN_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                if time.monotonic() > give_up_s:
                    raise
                time.sleep(0.02)
        yield f"http://127.0.0.1:{port}/predict"


@contextlib.contextmanager
def arrivals(delay_ms: float) -> Iterator[str]:
    """Serve `ANSWER` after a delay, noting arrivals; gives the URL."""
    program = str(Path(__file__).with_name("arrivals.py"))
    with _first_line([sys.executable, program, str(delay_ms)]) as url:
        yield f"{url}/predict"


@contextlib.contextmanager
def fleet(*options: str) -> Iterator[str]:
    """Run a simulated fleet; gives its base URL."""
    with _first_line([sys.executable, "-m", "burstctl", "fleet", "--port", "0", *options]) as url:
        yield url


def take_arrivals(url: str) -> Arrivals:
    """Give what the arrival-logging server noted since it was last asked."""
    log = fetch(url.replace("/predict", "/log"))
    return Arrivals([ns / 1e9 for ns in log["arrived_ns"]], log["served_ms"])


def fetch(url: str) -> dict[str, Any]:
    """Get a JSON document from a server of ours."""
    with urllib.request.urlopen(url, timeout=10) as answer:
        document: dict[str, Any] = json.load(answer)
        return document


@contextlib.contextmanager
def _first_line(arguments: Sequence[str]) -> Iterator[str]:
    with serve_pinned(arguments) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        if not url:
            raise RuntimeError(f"{' '.join(arguments)} did not start")
        yield url
