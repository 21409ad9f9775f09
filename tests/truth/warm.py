"""Starts burstctl processes fast: loads everything once, then forks; `python warm.py SOCKET`.

Each connection is one process: a JSON line says what to run, the answers are its id and, once it has ended, its status
as `os.waitpid` gives it. Loading takes a second of processor time, and the table of truth runs hundreds of bursts.
"""

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping
from typing import Any

from burstctl.cli.main import main


def serve(path: str) -> None:
    """Fork for every connection, until killed."""
    main(["run", "-q", "-"])  # loads what a run loads; standard input is empty, so nothing is sent
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
    os.environ.update(order["environ"])
    for descriptor, name in ((1, "out.txt"), (2, "err.txt")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), descriptor)
    if order["core"] is not None:
        os.sched_setaffinity(0, {order["core"]})
    if order["clock_step_s"]:
        _step_the_clock(order["clock_step_s"])
    code = main(order["arguments"])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _step_the_clock(seconds: float) -> None:
    """Have the wall clock leap half a second from now, as when the machine is set right."""
    real, leap_s = time.time, time.monotonic() + 0.5
    time.time = lambda: real() + (seconds if time.monotonic() >= leap_s else 0.0)


if __name__ == "__main__":
    serve(sys.argv[1])
