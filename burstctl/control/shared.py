"""A controller whose job is one of several: what it allows is cut to the job's part. Knows not how parts are dealt.

Inside, the controller steers as if it had the whole ceiling for itself, each send standing for as many as all jobs make
meanwhile: so what it learns of a quota is true for all of them, and they can tell it each other.
"""

from typing import Protocol

from burstctl.attempt import Attempt
from burstctl.control.controller import Controller
from burstctl.learnt import NOTHING_LEARNT, Learnt


class Part(Protocol):
    """What this job may use now."""

    @property
    def fraction(self) -> float:
        """Of the ceiling; above 0."""
        ...

    @property
    def window(self) -> int: ...


class Learner(Protocol):
    """A controller that learns, and can be taught."""

    def weigh(self, fraction: float) -> None:
        """Take note which part of all sends are this job's."""
        ...

    def has_news(self) -> bool:
        """Tell whether there is something that others should know at once."""
        ...

    def tell(self, now_s: float) -> Learnt:
        """Give what was learnt; news only once."""
        ...

    def hear(self, learnt: Learnt, now_s: float) -> None:
        """Take what others learnt."""
        ...


class SharedController:
    """Stands before a controller; keeps this job to its part."""

    __slots__ = ("_learner", "_part", "in_flight", "whole")

    def __init__(self, inner: Controller, learner: Learner | None, part: Part) -> None:
        self.whole = inner
        """Steers all jobs together, as far as this one can tell."""
        self._learner = learner
        """None: it keeps its rate whatever happens, here or elsewhere."""
        self._part = part
        self.in_flight = 0

    def rate_per_s(self) -> float:
        return self.whole.rate_per_s() * self._part.fraction

    def window(self) -> float:
        return min(self.whole.window(), self._part.window)

    def wanted_window(self) -> float:
        """Tell how many requests could be in flight if the part were large enough."""
        return self.whole.window()

    def open_at(self) -> float:
        return self.whole.open_at()

    def sent(self, serial: int, now_s: float, in_flight: int) -> None:
        self.in_flight = in_flight
        self.whole.sent(serial, now_s, in_flight)

    def observe(self, attempt: Attempt, in_flight: int) -> None:
        self.in_flight = in_flight
        self.whole.observe(attempt, in_flight)

    def tick(self, now_s: float, in_flight: int) -> None:
        if self._learner is not None:
            self._learner.weigh(self._part.fraction)
        self.whole.tick(now_s, in_flight)

    def has_news(self) -> bool:
        """Tell whether the other jobs should hear something at once."""
        return self._learner is not None and self._learner.has_news()

    def tell(self, now_s: float) -> Learnt:
        """Give what was learnt here."""
        return NOTHING_LEARNT if self._learner is None else self._learner.tell(now_s)

    def hear(self, learnt: Learnt, now_s: float) -> None:
        """Take what was learnt elsewhere."""
        if self._learner is not None:
            self._learner.hear(learnt, now_s)
