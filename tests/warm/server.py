"""Starts burstctl processes fast: loads everything once, then forks; `python server.py SOCKET`.

Each connection is one process: a JSON line says what to run, the answers are its id and, once it has ended, its status
as `os.waitpid` gives it. Loading takes a second of processor time, and the tests run hundreds of commands.
"""

import gc
import json
import os
import signal
import socket
import sys
import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstctl.cli.main import main
from burstctl.report.registry import load, names

# Nobody listens at port 9, nor does anybody answer: all is loaded and nothing happens.
_MANIFEST = """\
version: 1
target: {base_url: "http://127.0.0.1:9"}
retry: {max_attempts: 1}
requests: [{name: predict, path: /predict, json: {text: "${index}"}, expect: {json: {label: ok}}}]
"""


def serve(path: str) -> None:
    """Fork for every connection, until killed."""
    _load_all(Path(path).with_suffix(".yaml"))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        sys.stdout.write("warm\n")
        sys.stdout.flush()
        while True:
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    listener.close()
                    _attend(connection)


def _load_all(manifest: Path) -> None:
    """Load what commands load on use, by using them."""
    manifest.write_text(_MANIFEST)
    for name in names():
        load(name)
    result = str(manifest.with_suffix(".json"))
    main(["run", str(manifest), f"--report=json={result}"])
    main(["dry-run", str(manifest), "--offline"])
    main(["report", "compare", result, result])
    gc.collect()
    gc.freeze()  # else every run's own collection walks all this, and copies its pages


def _attend(connection: socket.socket) -> None:
    """See to one process from its birth to its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    order = json.loads(connection.makefile().readline())
    child = os.fork()
    if child == 0:
        connection.close()
        _become(order)
    connection.sendall(f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    connection.sendall(f"{status}\n".encode())
    os._exit(0)


def _become(order: Mapping[str, Any]) -> None:
    """Be burstctl from here on."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environ"])
    os.dup2(os.open(order["stdin"], os.O_RDONLY), 0)
    for descriptor, stream in ((1, "stdout"), (2, "stderr")):
        os.dup2(os.open(order[stream], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), descriptor)
    if order["core"] is not None:
        os.sched_setaffinity(0, {order["core"]})
    if order["clock_step_s"]:
        _step_the_clock(order["clock_step_s"])
    code = 1
    try:
        code = main(order["arguments"])
    finally:
        # What main raises would be this process's own, and its traceback is to be found in the command's output.
        if sys.exc_info()[0] is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _step_the_clock(seconds: float) -> None:
    """Have the wall clock leap half a second from now, as when the machine is set right."""
    real, leap_s = time.time, time.monotonic() + 0.5
    time.time = lambda: real() + (seconds if time.monotonic() >= leap_s else 0.0)


if __name__ == "__main__":
    serve(sys.argv[1])
