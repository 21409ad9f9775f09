"""A job has what GitLab gives it: defaults, variables, rules, instances, scripts, children."""

from typing import Any

import pytest


def test_defaults_fill_what_is_lacking_and_merge_nothing(read: Any) -> None:
    view = read("""
default: {before_script: [default], image: default, retry: 1, timeout: 1h}
a: {script: [x]}
b: {script: [x], before_script: [own], image: own, retry: {max: 2}}
c: {script: [x], before_script: []}
d: {script: [x], inherit: {default: false}}
e: {script: [x], inherit: {default: [image]}}
""")
    assert view.script("a") == ["default", "x"]
    assert view.script("b") == ["own", "x"]
    assert view.script("c") == ["x"]
    assert view.script("d") == ["x"]
    assert view.script("e") == ["x"]
    images = [one.image.text if one.image else None for one in view.pipeline.jobs]
    assert images == ["default", "own", "default", None, "default"]
    assert [one.retry for one in view.pipeline.jobs] == [1, 2, 1, 0, 0]


def test_the_old_defaults_at_the_top_still_work(read: Any) -> None:
    view = read("before_script: [old]\nimage: i\njob: {script: [x]}\n")
    assert view.script() == ["old", "x"]
    assert view.job().image.text == "i"


def test_scripts_run_in_one_shell_and_after_script_in_another(read: Any) -> None:
    view = read("job: {before_script: a, script: [[b, [c]], d], after_script: [e]}\n")
    assert [(one.section, one.text) for one in view.job().scripts] == [("script", "a\nb\nc\nd"), ("after_script", "e")]


def test_hidden_jobs_and_settings_are_no_jobs(read: Any) -> None:
    view = read("""
.hidden: [not, a, job]
stages: [a]
variables: {A: 1}
workflow: {rules: [{if: $X}]}
pages: {script: [x]}
""")
    assert view.names == ["pages"]
    assert view.pipeline.stages == (".pre", "a", ".post")


def test_variables_of_all_levels(read: Any) -> None:
    view = read("""
variables:
  G: global
  J: global
  M: global
  NUMBER: 0300
  FLAG: yes
  FORM: {value: "10", description: "how fast"}
  CHOICE: {value: "10", options: ["10", "20"], description: "how fast"}
  EMPTY: {description: "nothing yet"}
job:
  script: [x]
  variables: {J: job, M: job, RAW: {value: r, expand: false}}
  parallel: {matrix: [{M: [m1, m2]}]}
""")
    one = view.job()
    assert view.variables() == {
        "G": "global",
        "J": "job",
        "M": "m1",
        "NUMBER": "192",
        "FLAG": "true",
        "FORM": "10",
        "CHOICE": "10",
        "EMPTY": "",
        "RAW": "r",
    }
    assert [one.variables[name].level for name in "GJM"] == ["global", "job", "matrix"]
    assert [name for name, variable in one.variables.items() if variable.asked] == ["FORM", "EMPTY"]
    assert one.variables["NUMBER"].plain.text == "0300"


def test_inherit_keeps_global_variables_out(read: Any) -> None:
    view = read("""
variables: {A: 1, B: 2}
a: {script: [x], inherit: {variables: false}}
b: {script: [x], inherit: {variables: [B]}}
""")
    assert view.variables("a") == {}
    assert view.variables("b") == {"B": "2"}


def test_each_arm_of_the_rules_has_its_variables(read: Any) -> None:
    view = read("""
job:
  script: [x]
  when: manual
  rules:
    - {if: $A, variables: {RATE: 10}, when: on_success}
    - [{if: $B, when: never}, {if: $C}]
    - {variables: {RATE: 20}}
    - {if: $LATE}
""")
    arms = view.job().arms
    assert [(arm.runs, arm.manual) for arm in arms] == [(True, False), (False, False), (True, True), (True, True)]
    assert [{name: one.value for name, one in arm.variables.items()} for arm in arms] == [
        {"RATE": "10"},
        {},
        {},
        {"RATE": "20"},
    ]
    assert not view.job().manual


def test_the_variables_of_a_workflow_come_with_its_arms(read: Any) -> None:
    view = read("""
workflow: {rules: [{if: $P, variables: {RATE: 1, X: w}}, {if: $Q, when: never}, {variables: {RATE: 2}}]}
a: {script: [x]}
b: {script: [x], variables: {X: own}, rules: [{if: $A, variables: {RATE: 3}}, {if: $B}]}
c: {script: [x], inherit: {variables: false}}
""")

    def rates(name: str) -> list[str | None]:
        arms = view.job(name).arms
        return [arm.variables["RATE"].value if "RATE" in arm.variables else None for arm in arms]

    assert rates("a") == ["1", "2"]
    assert rates("b") == ["3", "1", "3", "2"]
    assert all("X" not in arm.variables for arm in view.job("b").arms)
    assert all(not arm.variables for arm in view.job("c").arms)


@pytest.mark.parametrize(
    "text",
    [
        "job: {script: [x], when: never}",
        "job: {script: [x], rules: [{when: never}]}",
        "job: {script: [x], rules: [{if: $A, when: never}, {when: never}, {if: $B}]}",
        "job: {script: [x]}\nworkflow: {rules: [{when: never}]}",
    ],
)
def test_what_never_runs_is_no_job(read: Any, text: str) -> None:
    assert read(text).names == []


def test_manual_and_protected(read: Any) -> None:
    view = read("""
a: {script: [x], when: manual}
b: {script: [x], rules: [{if: $A, when: manual}, {if: $B, when: never}]}
c: {script: [x], rules: [{if: '$CI_COMMIT_REF_PROTECTED == "true"'}]}
d: {script: [x], rules: [{if: '$CI_COMMIT_REF_PROTECTED == "true" || $X'}]}
""")
    assert [(one.manual, one.protected) for one in view.pipeline.jobs] == [
        (True, False),
        (True, False),
        (False, True),
        (False, False),
    ]


def test_a_count_and_a_matrix_make_instances(read: Any) -> None:
    view = read("""
count: {script: [x], parallel: 3}
matrix:
  script: [x]
  parallel:
    matrix:
      - {A: [1, 2], B: [x, y]}
      - {A: 3, B: z, C: q}
none: {script: [x]}
""")
    count, matrix, none = view.pipeline.jobs
    assert (count.instances, count.matrix, none.instances) == (3, (), 1)
    assert matrix.instances == 5
    assert matrix.matrix[0] == {"A": "1", "B": "x"}
    assert matrix.matrix[-1] == {"A": "3", "B": "z", "C": "q"}
    assert set(matrix.variables) == {"A", "B"}, "what every instance has"
    assert count.node_variables == matrix.node_variables == {"CI_NODE_INDEX", "CI_NODE_TOTAL"}
    assert none.node_variables == frozenset()


@pytest.mark.parametrize(
    ("parallel", "message"),
    [
        ("0", "1 to 200"),
        ("201", "1 to 200"),
        ("two", "1 to 200"),
        (f"{{matrix: [{{A: {list(range(201))}}}]}}", "201 jobs"),
        ("{matrix: [{" + ", ".join(f"A{n}: [1, 2]" for n in range(100)) + "}]}", "more than 1,000,000 jobs"),
        ("{matrix: [{A: [1, 2]}, {A: [2]}]}", "two jobs named `job: [2]`"),
        ("{matrix: [{A: [1]}, {B: [1]}]}", "two jobs named `job: [1]`"),
    ],
)
def test_instances_that_cannot_be_are_a_finding(read: Any, parallel: str, message: str) -> None:
    view = read(f"job: {{script: [x], parallel: {parallel}}}")
    assert view.hits == [("BL002", 1)]
    assert message in view.messages


def test_two_hundred_are_allowed(read: Any) -> None:
    matrix = f"{{matrix: [{{A: {list(range(20))}, B: {list(range(10))}}}]}}"
    view = read(f"a: {{script: [x], parallel: 200}}\nb: {{script: [x], parallel: {matrix}}}")
    assert view.hits == []
    assert [one.instances for one in view.pipeline.jobs] == [200, 200]


def test_the_rest_of_a_job(read: Any) -> None:
    view = read("""
job:
  script: [x]
  stage: deploy
  resource_group: fleet
  needs: [a, {job: b, artifacts: true}, {pipeline: $X}, {project: p, job: c, ref: r}]
  environment: {name: production/eu, deployment_tier: production}
  services: [postgres:11, {name: "registry.example.com:5000/my/model:1", alias: "model, llm"}]
  timeout: 10 minutes
  image: {name: "python:3", entrypoint: [""]}
""")
    one = view.job()
    assert (one.stage, one.group, one.needs) == ("deploy", "fleet", ("a", "b"))
    assert (one.environment, one.tier) == ("production/eu", "production")
    assert one.services >= {
        "postgres",
        "model",
        "llm",
        "registry.example.com__my__model",
        "registry.example.com-my-model",
    }
    assert (one.timeout.text, one.image.text) == ("10 minutes", "python:3")


def test_empty_needs_start_at_once(read: Any) -> None:
    assert read("job: {script: [x], needs: []}").job().needs == ()
    assert read("job: {script: [x]}").job().needs is None


def test_steps_of_run(read: Any) -> None:
    view = read("""
job:
  run:
    - {name: one, script: 'curl ${{ job.X }}/a'}
    - {name: two, step: ./steps/x, inputs: {rate: 5}}
    - {name: three, action: grafana/run-k6-action@v1}
""")
    (script,) = view.job().scripts
    assert script.text == "curl $___________/a"
    assert [use.name for use in view.job().uses] == ["./steps/x", "grafana/run-k6-action@v1"]
    assert view.job().uses[0].inputs["rate"].value == 5


def test_a_runner_for_windows_has_another_shell(read: Any) -> None:
    view = read("job: {script: [x], tags: [saas-windows-medium-amd64]}")
    assert view.job().scripts[0].shell == "pwsh"


def test_a_block_says_where_a_job_has_something_from(read: Any) -> None:
    view = read(
        "include: a.yml\njob:\n  extends: .base\n",
        {"a.yml": ".base:\n  script:\n    - curl x\n"},
    )
    (script,) = view.job().scripts
    (block,) = [one for one in view.pipeline.blocks if one.body.contains(script.locate(0, 4))]
    assert (block.name, block.key.file.path) == (".base", "a.yml")


@pytest.mark.parametrize(
    "text",
    [
        "job: [a]\nvariables: [a]\ndefault: x\nstages: {a: b}\nworkflow: x\ninclude: {}\n",
        "job: {script: {a: b}, variables: x, rules: y, parallel: {matrix: z}, needs: q, services: {}, retry: x}",
        "job: {trigger: [], inherit: x, environment: [], tags: {}, run: x, hooks: [], extends: {a: b}, image: []}",
        "default: {script: x}\njob: {parallel: {matrix: [[], x, {A: {b: c}}]}, script: [[], {}, null]}",
        "? [a, b]\n: {script: x}\n? {a: b}\n: c\n",
        "- a\n- b\n",
        "just text\n",
        "",
        "# nothing\n",
    ],
)
def test_nonsense_makes_no_crash(read: Any, text: str) -> None:
    read(text)
