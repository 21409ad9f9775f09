"""What the fleet answers to each path: predictions from the model, health, metrics, figures. Knows no connections."""

import json
from collections.abc import Callable
from dataclasses import asdict

from pydantic_core import from_json

from burstctl.clock import Clock
from burstctl.fleet.exchange import Exchange, Response
from burstctl.fleet.metrics import CONTENT_TYPE, render_metrics
from burstctl.fleet.model import FleetModel, Refusal, Ticket
from burstctl.fleet.stats import FleetStats

_READ = ("GET", "HEAD")


class Endpoints:
    """Answers exchanges over one model, each at its time.

    `POST|GET /predict` is served by the model and gives `{"label": "ok", "echo": …}` with the request's JSON, or null;
    `/healthz` gives 200, or 503 when the fleet has no capacity; `/metrics` gives Prometheus text; `/stats` gives
    `stats_document` as JSON; `POST /reset` zeroes the figures. Other paths give 404, other methods 405.
    """

    def __init__(self, model: FleetModel, clock: Clock, model_touched: Callable[[], None]) -> None:
        self._model = model
        self._clock = clock
        self._model_touched = model_touched
        self._waiting: dict[Ticket, Exchange] = {}
        self._routes: dict[str, tuple[tuple[str, ...], Callable[[Exchange], None]]] = {
            "/predict": (("POST", *_READ), self._predict),
            "/healthz": (_READ, self._health),
            "/metrics": (_READ, self._metrics),
            "/stats": (_READ, self._stats),
            "/reset": (("POST",), self._reset),
        }

    def handle(self, exchange: Exchange) -> None:
        """Answer one request, now or later."""
        methods, answer = self._routes.get(exchange.request.path, ((), None))
        if answer is None:
            exchange.answer(_error(404, "no such path"))
        elif exchange.request.method not in methods:
            exchange.answer(_error(405, "method not allowed", ("Allow", ", ".join(methods))))
        else:
            answer(exchange)

    def answer_finished(self) -> None:
        """Answer every prediction that is done by now."""
        now_s = self._clock.now()
        for ticket in self._model.advance(now_s):
            exchange = self._waiting.pop(ticket, None)
            if exchange is not None:
                body = b'{"label": "ok", "echo": ' + _json_or_null(exchange.request.body) + b"}"
                exchange.answer(Response(200, body, headers=self._model.rate_limit_headers(now_s)))

    def _predict(self, exchange: Exchange) -> None:
        now_s = self._clock.now()
        taken = self._model.arrive(now_s)
        if isinstance(taken, Refusal):
            self._refuse(exchange, taken, now_s)
        else:
            self._waiting[taken] = exchange
            exchange.on_gone = lambda: self._abandon(taken)
        self._model_touched()

    def _refuse(self, exchange: Exchange, refusal: Refusal, now_s: float) -> None:
        after_s = refusal.retry_after_s
        headers = () if after_s is None else (("Retry-After", str(after_s)),)
        limits = self._model.rate_limit_headers(now_s, blocked_s=after_s if refusal.status == 429 else None)
        response = _error(refusal.status, refusal.reason, *headers, *limits)
        if refusal.delay_s:
            self._clock.call_at(now_s + refusal.delay_s, lambda: exchange.answer(response))
        else:
            exchange.answer(response)

    def _abandon(self, ticket: Ticket) -> None:
        if self._waiting.pop(ticket, None) is not None:
            self._model.abandon(ticket)

    def _health(self, exchange: Exchange) -> None:
        healthy = self._model.slots(self._clock.now()) > 0
        exchange.answer(Response(200, b"ok\n", "text/plain") if healthy else _error(503, "no capacity"))

    def _metrics(self, exchange: Exchange) -> None:
        text = render_metrics(self._model.stats(self._clock.now()))
        exchange.answer(Response(200, text.encode(), CONTENT_TYPE))

    def _stats(self, exchange: Exchange) -> None:
        document = stats_document(self._model.stats(self._clock.now()))
        exchange.answer(Response(200, json.dumps(document).encode()))

    def _reset(self, exchange: Exchange) -> None:
        self._model.reset_stats(self._clock.now())
        exchange.answer(Response(200, b"{}"))


def stats_document(stats: FleetStats) -> dict[str, object]:
    """Give the figures as `/stats` shows them.

    The keys are `FleetStats`'s fields: `arrivals`, `carried`, `served`, `refused`, `abandoned`, `status` (by status
    code as text), `queue`, `in_service`, `slots`, `peak_queue`, `max_arrivals_1s`, `first_arrival_s`,
    `last_arrival_s`, `last_done_s`, `queue_wait_ms` (null, or `count`, `p50`, `p95`, `p99`, `max`).
    """
    return asdict(stats) | {"status": {str(code): count for code, count in stats.status.items()}}


def _error(status: int, reason: str, *headers: tuple[str, str]) -> Response:
    return Response(status, json.dumps({"error": reason}).encode(), headers=headers)


def _json_or_null(body: bytes) -> bytes:
    try:
        from_json(body, allow_inf_nan=False)
    except ValueError:
        return b"null"
    return body
