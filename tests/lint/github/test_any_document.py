"""Whatever stands in a workflow, reading it ends with a pipeline whose places all lie within its files."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.lint.check import check
from burstctl.lint.dialect import github
from burstctl.lint.document import Unreadable
from burstctl.lint.expand import expand
from burstctl.lint.file import File, Span
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

PATH = ".github/workflows/ci.yml"
CALLED = ".github/workflows/b.yml"
WORDS = st.sampled_from(
    """
    env steps run uses with if shell strategy matrix include exclude max-parallel concurrency group needs container
    image services environment name defaults working-directory timeout-minutes runs-on inputs default required type
    options a b RATE_LIMIT push workflow_call ./a ./.github/workflows/b.yml ./.github/workflows/ci.yml hey
    actions/checkout@v4
    """.split()  # noqa: SIM905 - four lines instead of fifty
)
EXPRESSIONS = st.sampled_from(
    [
        "${{ inputs.a }}",
        "${{ matrix.a }}",
        "x${{ matrix.b || 'c' }}y\n${{ env.RATE_LIMIT }}",
        "${{ fromJSON(inputs.b) }}",
        "${{ fromJSON('[1, {\"a\": 2}]') }}",
        "${{ strategy.job-total }}${{ strategy.job-index }}",
        "${{ matrix['a'].b[0] == inputs.a && !false }}",
        "hey ${{ github.action_path }} ${{",
        "${{ secrets.X",
    ]
)
SCALARS = st.one_of(
    WORDS, EXPRESSIONS, st.integers(-1, 300), st.booleans(), st.none(), st.floats(), st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)
STEPS = st.lists(st.dictionaries(WORDS, VALUES, max_size=4), max_size=4)
STRATEGIES = st.fixed_dictionaries(
    {"matrix": st.dictionaries(WORDS, st.lists(SCALARS, max_size=4) | VALUES, max_size=4)}
)
JOBS = st.dictionaries(WORDS, VALUES, max_size=4).flatmap(
    lambda rest: st.fixed_dictionaries({"steps": STEPS}, optional={"strategy": STRATEGIES, "uses": WORDS}).map(
        lambda job: {**rest, **job}
    )
)
WORKFLOWS = st.fixed_dictionaries(
    {"jobs": st.dictionaries(WORDS, JOBS | VALUES, max_size=4) | VALUES},
    optional={"on": VALUES, "env": VALUES, "defaults": VALUES, "concurrency": VALUES},
)


def within(span: Span) -> bool:
    return 0 <= span.start <= span.end <= len(span.file.text)


@settings(max_examples=300, deadline=None)
@given(WORKFLOWS, WORKFLOWS, STEPS, VALUES)
def test_any_workflow_is_read(root: Any, called: Any, steps: Any, inputs: Any) -> None:
    action = {"inputs": inputs, "runs": {"using": "composite", "steps": steps}}
    # JSON is YAML, but for the two words that stand for numbers beyond all bounds.
    texts = {name: json.dumps(one) for name, one in ((PATH, root), (CALLED, called), ("a/action.yml", action))}
    project = Project(Path("/nowhere"), texts)
    file = project.read(PATH)
    assert isinstance(file, File)
    try:
        pipeline = github.read(file, project, Settings())
    except Unreadable:
        return
    assert all(within(hit.span) for hit in pipeline.hits)
    for job in pipeline.jobs:
        assert job.instances is None or job.instances >= 1
        assert not job.matrix or len(job.matrix) == job.instances
        for script in job.scripts:
            assert all(within(script.locate(index, index + 1)) for index in range(0, len(script.text), 3))
    assert expand([pipeline])
    assert check(list(texts), project, Settings(budget_per_s=10)).checked
