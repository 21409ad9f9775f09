"""A matrix makes the instances that GitHub makes of it, with the variables of each."""

from collections.abc import Callable

import pytest

from burstctl.lint.pipeline import Pipeline

Read = Callable[..., Pipeline]


def rows(pipeline: Pipeline) -> list[str]:
    (job,) = pipeline.jobs
    return [" ".join(f"{name.removeprefix('matrix_')}={value}" for name, value in row.items()) for row in job.matrix]


def matrix(content: str) -> str:
    return f"on: push\njobs:\n  a:\n    strategy: {{matrix: {{{content}}}}}\n    steps: [{{run: make}}]\n"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a: [1, 2], b: [x, y]", ["a=1 b=x", "a=1 b=y", "a=2 b=x", "a=2 b=y"]),
        ("a: [1, 2], b: [x, y], exclude: [{a: 1}]", ["a=2 b=x", "a=2 b=y"]),
        ("a: [1, 2], exclude: [{a: 1, z: 1}]", ["a=1", "a=2"]),
        ("a: [1, 2], include: [{b: x}]", ["a=1 b=x", "a=2 b=x"]),
        ("a: [1, 2], include: [{a: 2, b: x}]", ["a=1", "a=2 b=x"]),
        ("a: [1, 2], include: [{a: 3, b: x}]", ["a=1", "a=2", "a=3 b=x"]),
        ("include: [{a: 1}, {a: 2}]", ["a=1", "a=2"]),
        (
            # GitHub's own example, in its documentation of `include`.
            """fruit: [apple, pear], animal: [cat, dog], include: [{color: green}, {color: pink, animal: cat},
                {fruit: apple, shape: circle}, {fruit: banana}, {fruit: banana, animal: cat}]""",
            [
                "fruit=apple animal=cat color=pink shape=circle",
                "fruit=apple animal=dog color=green shape=circle",
                "fruit=pear animal=cat color=pink",
                "fruit=pear animal=dog color=green",
                "fruit=banana",
                "fruit=banana animal=cat",
            ],
        ),
    ],
)
def test_a_matrix_makes(read: Read, content: str, expected: list[str]) -> None:
    assert rows(read(matrix(content))) == expected


def test_what_only_the_run_knows_has_no_number(read: Read) -> None:
    for content in ("a: '${{ fromJSON(needs.x.outputs.y) }}'", "include: '${{ fromJSON(vars.ALL) }}'"):
        (job,) = read(matrix(content)).jobs
        assert job.instances is None
        assert job.matrix == ()


def test_each_instance_has_its_own_env(read: Read) -> None:
    text = """\
on: push
jobs:
  a:
    strategy: {matrix: {n: [1, 2]}}
    env: {RATE: "${{ matrix.n }}0/s", SAME: "${{ strategy.job-total }}"}
    steps:
      - {run: "go $URL", env: {URL: "https://${{ vars.HOST }}/${{ matrix.n }}", PLACE: "${{ strategy.job-index }}"}}
"""
    (job,) = read(text).jobs
    assert [row["RATE"] for row in job.matrix] == ["10/s", "20/s"]
    assert [row["URL"] for row in job.matrix] == ["https://${vars_HOST}/1", "https://${vars_HOST}/2"]
    assert [row["PLACE"] for row in job.matrix] == ["0", "1"]
    assert job.variables["SAME"].value == "2"
    assert job.total_variables == {"SAME"}
    assert job.variables["RATE"].level == "matrix"


def test_a_steps_variables_stay_with_it(read: Read) -> None:
    text = """\
on: push
env: {A: 1}
jobs:
  a:
    steps:
      - {run: one, env: {A: 2, B: 3}}
      - run: two
"""
    (job,) = read(text).jobs
    assert [dict(script.given) for script in job.scripts] == [{"A": "2", "B": "3"}, {"A": "1"}]


def test_at_most_so_many_run_at_once_over_callers_and_their_own(read: Read) -> None:
    text = """\
on: push
jobs:
  a:
    strategy: {max-parallel: 2, matrix: {x: [1, 2, 3]}}
    uses: ./.github/workflows/b.yml
"""
    called = "on: workflow_call\njobs: {b: {strategy: {matrix: {y: [1, 2, 3, 4]}}, steps: [{run: make}]}}\n"
    (job,) = read(text, {".github/workflows/b.yml": called}).jobs
    assert (job.name, job.instances, job.max_parallel) == ("a / b", 12, 8)


def test_a_place_in_a_script_is_that_of_the_file(read: Read) -> None:
    text = """\
on: push
jobs:
  a:
    strategy: {matrix: {x: [1, 2]}}
    steps:
      - run: |
          echo ${{ 'longer than it was' }} ${{ matrix.x }}
          here
"""
    (job,) = read(text).jobs
    (script,) = job.scripts
    assert script.text == "echo longer than it was ${matrix_x}\nhere\n"
    at = script.text.index("here")
    assert script.locate(at, at + 4).text == "here"
    at = script.text.index("${matrix_x}")
    assert script.locate(at, at + 11).text == "${{ matrix.x }}"


def test_more_instances_than_anybody_tells_apart_are_counted(read: Read) -> None:
    text = """\
on: push
jobs:
  a:
    strategy: {matrix: {x: [%s]}}
    uses: ./.github/workflows/b.yml
"""
    numbers = ", ".join(map(str, range(100)))
    called = f"on: workflow_call\njobs: {{b: {{strategy: {{matrix: {{y: [{numbers}]}}}}, steps: [{{run: make}}]}}}}\n"
    (job,) = read(text % numbers, {".github/workflows/b.yml": called}).jobs
    assert job.instances == 10_000
    assert job.matrix == ()
