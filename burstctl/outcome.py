"""What became of one request, over all its attempts. Knows nothing of counting."""

from burstctl.attempt import Attempt, Failure
from burstctl.value import value


@value
class Outcome:
    """The end of one request; times in seconds of the run's clock."""

    index: int
    name: str
    due_s: float
    done_s: float
    attempts: int
    """How often it was sent; 0 only where the request could not even be made (a broken data row)."""
    first_sent_s: float | None = None
    last: Attempt | None = None
    """The attempt that decided."""
    failure: Failure | None = None
    row: int | None = None
    """The data row's index, from 0."""
