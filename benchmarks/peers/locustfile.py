"""Locust's user: sends its share of the requests, then stops; the last one ends the run."""

import os

import gevent
from locust import FastHttpUser, constant_throughput, task
from locust.exception import StopUser

_RATE_PER_S = float(os.environ["BENCHMARK_RATE"])


class Client(FastHttpUser):
    finished = 0
    """Users that have sent their share, over all of them."""

    if _RATE_PER_S:
        wait_time = constant_throughput(_RATE_PER_S)

    def on_start(self) -> None:
        self._left = int(os.environ["BENCHMARK_REQUESTS"])
        self._body = os.environ["BENCHMARK_BODY"].encode()

    @task
    def predict(self) -> None:
        self.client.post("/predict", data=self._body, headers={"Content-Type": "application/json"})
        self._left -= 1
        if self._left == 0:
            Client.finished += 1
            if Client.finished == int(os.environ["BENCHMARK_USERS"]) and self.environment.runner is not None:
                gevent.spawn(self.environment.runner.quit)
            raise StopUser
