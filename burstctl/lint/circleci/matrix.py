"""`matrix` of a workflow's job: its instances and the parameters in which they differ. Knows no other keyword."""

import itertools

from burstctl.light import field, light
from burstctl.lint.circleci.scope import Bound, Scope, variable_name
from burstctl.lint.document import Mapping, Scalar, Value
from burstctl.lint.file import Span
from burstctl.lint.gathered import Gathered
from burstctl.lint.job import Variable
from burstctl.lint.look import entries_of, items_of, mappings_of, scalars_of
from burstctl.lint.pipeline import Hit

MAX_INSTANCES = 128


@light
class Matrix:
    """The instances of one job."""

    rows: tuple[dict[str, str], ...] | None = ({},)
    """None: how many there are is not known."""
    parameters: dict[str, Bound] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    span: Span | None = None


def matrix_of(value: Value | None, scope: Scope, job: str, gathered: Gathered) -> Matrix:
    """Multiply a matrix's parameters out, without what it excludes."""
    if not isinstance(value, Mapping):
        return Matrix()
    axes: dict[str, list[Scalar]] = {}
    for entry in entries_of(value.get("parameters")):
        listed = scope.resolve(entry.value)
        items = items_of(listed.value) if listed else ()
        axes[entry.key.text] = [scope.fill(one) for one in items if isinstance(one, Scalar)]
    size = 1
    for values in axes.values():
        size = min(size * len(values), 1_000_000)
    bound = {name: Bound(values[0], scope, varies=len(values) > 1) for name, values in axes.items() if values}
    variables = {
        name: one for name, values in axes.items() if len(values) > 1 for name, one in [_variable(name, values)]
    }
    if size > MAX_INSTANCES:
        message = f"the matrix makes {size:,} jobs; {MAX_INSTANCES} is the limit"
        gathered.note(Hit("BL002", value.span, message, job=job, key="matrix size"))
        return Matrix(None, bound, variables, value.span)
    gathered.spend(size, value.span)
    out = [
        {key: scope.fill(one).as_text for key, one in scalars_of(row).items()}
        for row in mappings_of(value.get("exclude"))
    ]
    rows = []
    for chosen in itertools.product(*axes.values()):
        row = dict(zip(axes, (one.as_text for one in chosen), strict=True))
        if row not in out:
            rows.append({variable_name(f"parameters.{name}"): text for name, text in row.items()})
    return Matrix(tuple(rows), bound, variables, value.span)


def _variable(name: str, values: list[Scalar]) -> tuple[str, Variable]:
    shell_name, first = variable_name(f"parameters.{name}"), values[0]
    return shell_name, Variable(shell_name, first.as_text, first.span, first.span, "matrix", first, asked=first.asked)
