"""Tables of what was counted and measured: times, request names, answers, burstctl itself. Judges nothing."""

from collections.abc import Iterator

from burstctl.report.page.markup import Markup, cut, tag
from burstctl.report.page.table import Row, and_more, table
from burstctl.report.words.status import phrase
from burstctl.report.words.times import DISTRIBUTIONS, FIGURES
from burstctl.summary import Figures, Spread, Summary
from burstctl.units import format_ms, format_share

_MOST_NAMES = 200
_MOST_KINDS = 6
_MOST_STATUSES = 60
_NAME_CHARS = 120


def time_table(total: Figures) -> Markup:
    """Set the distributions side by side, in ms."""
    spreads: dict[str, Spread] = {name: getattr(total, f"{name}_ms") for name in DISTRIBUTIONS}
    rows = (
        Row(
            name,
            (*(format_ms(getattr(spread, one)) for one in FIGURES), f"{spread.count:,}", DISTRIBUTIONS[name]),
        )
        for name, spread in spreads.items()
        if spread.count
    )
    return table("Times in ms", ("ms", *FIGURES, "count", "from, to"), rows, texts=("from, to",))


def request_table(summary: Summary) -> Iterator[Markup]:
    """Show each request name; where not all find room, those that failed or were not sent do."""
    ordered = list(summary.requests.items())
    if len(ordered) > _MOST_NAMES:
        ordered.sort(key=lambda item: -(item[1].failed + item[1].unsent))
    headings = (
        *("request", "planned", "succeeded", "failed", "unsent", "attempts"),
        *("p50 ms", "p95 ms", "p99 ms", "max ms", "answers"),
    )
    rows = (_request(name, one) for name, one in ordered[:_MOST_NAMES])
    yield table("Requests", headings, rows, texts=("answers",))
    hidden = ordered[_MOST_NAMES:]
    if hidden:
        lost = sum(one.failed + one.unsent for _, one in hidden)
        yield and_more(len(hidden), f"names, {lost:,} of their requests failed or not sent; csv and json list all")


def answer_table(total: Figures) -> Iterator[Markup]:
    """Count what came back of each attempt: statuses, then faults."""
    answers = [(phrase(status), n, status < 400) for status, n in sorted(total.status.items())]
    faults = sorted(total.faults.items(), key=lambda item: (-item[1], item[0]))
    counted = [*answers, *((f"fault: {fault}", n, False) for fault, n in faults)]
    rows = (
        Row(what, (f"{n:,}", format_share(n / total.attempts)), None if good else "bad")
        for what, n, good in counted[:_MOST_STATUSES]
    )
    yield table("Answers", ("answer", "attempts", "share"), rows, fit=True)
    yield and_more(len(counted) - _MOST_STATUSES, "kinds of answers")
    if total.broken_off:
        yield tag("p", f"{total.broken_off:,} of the faults came after the answer had begun", class_="soft")


def generator_table(summary: Summary) -> Markup:
    """Tell how burstctl itself did, which is what latencies can be blamed on too."""
    generator, lag = summary.generator, summary.generator.lag_ms
    rows = [
        Row("lag of its sends", (f"p50 {format_ms(lag.p50)}, p99 {format_ms(lag.p99)}, max {format_ms(lag.max)} ms",)),
        Row("processor", (f"{format_share(generator.cpu)} of a core, {generator.processes:,} at work",)),
        Row("load delivered", (f"{format_share(generator.delivered)} of what ceiling and window allowed",)),
    ]
    return table("burstctl itself", ("figure", "value"), rows, texts=("value",), fit=True)


def _request(name: str, one: Figures) -> Row:
    latency = one.latency_ms
    counts = (one.planned, one.succeeded, one.failed, one.unsent, one.attempts)
    answers = [f"{status} × {n:,}" for status, n in sorted(one.status.items())]
    answers += [f"{fault} × {n:,}" for fault, n in sorted(one.faults.items())]
    more = f" and {len(answers) - _MOST_KINDS} more" if len(answers) > _MOST_KINDS else ""
    return Row(
        tag("bdi", cut(name, _NAME_CHARS)),
        (
            *(f"{n:,}" for n in counts),
            *map(format_ms, (latency.p50, latency.p95, latency.p99, latency.max)),
            ", ".join(answers[:_MOST_KINDS]) + more,
        ),
        "bad" if one.failed or one.unsent else None,
    )
