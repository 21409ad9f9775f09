"""`--expand` shows each job with the place that each of its parts comes from, and no secret."""

from pathlib import Path

from burstctl.lint.dialect import github, gitlab
from burstctl.lint.expand import expand
from burstctl.lint.file import File
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

ROOT = """\
include: base.yml
variables: {RATE: 5, API_TOKEN: abcdefgh}
load:
  extends: .base
  parallel: {matrix: [{SHARD: [a, b]}]}
  rules: [{if: $X, variables: {RATE: 7}}, {when: manual}]
"""
BASE = """\
.base:
  stage: verify
  script:
    - |
      one
      curl -H "Authorization: Bearer 0123456789abcdef" http://user:word@host/
"""


def shown(root: str, base: str = BASE) -> str:
    project = Project(Path("/nowhere"), {".gitlab-ci.yml": root, "base.yml": base})
    return expand([gitlab.read(File.of(".gitlab-ci.yml", root), project, Settings())])


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n")]


def test_each_part_has_its_place() -> None:
    found = lines(shown(ROOT))
    assert found[0] == "# .gitlab-ci.yml (gitlab): 1 job"
    for line in (
        "load: # .gitlab-ci.yml:3",
        "stage: verify",
        "instances: 2 # .gitlab-ci.yml:5",
        "- SHARD=b",
        "RATE: 5 # .gitlab-ci.yml:2 (global)",
        "RATE: 7 # .gitlab-ci.yml:6 (rule)",
        "- runs by hand # .gitlab-ci.yml:6",
        "one # base.yml:5",
    ):
        assert line in found


def test_no_secret_is_shown() -> None:
    text = shown(ROOT)
    assert "API_TOKEN: ***" in text
    for secret in ("abcdefgh", "0123456789abcdef", "user:word"):
        assert secret not in text


def test_nothing_in_it_moves_a_terminal() -> None:
    assert "\x1b" not in shown('load: {script: ["a\\e[31m"], stage: "\\eX"}\n')


WORKFLOW = """\
on: {workflow_dispatch: {inputs: {token: {default: abcdefgh}, rate: {default: 5}}}}
env: {API_TOKEN: abcdefgh}
jobs:
  load:
    strategy: {matrix: {shard: [a, b]}}
    steps:
      - uses: actions/checkout@v4
      - uses: ./load
        with: {url: "http://user:word@host", key: "${{ inputs.token }}"}
"""
ACTION = """\
inputs: {url: {required: true}, key: {}}
runs:
  using: composite
  steps:
    - {shell: bash, run: "go ${{ inputs.key }} ${{ inputs.url }} ${{ github.sha }}"}
"""


def test_a_workflow_shows_what_its_actions_run() -> None:
    name = ".github/workflows/ci.yml"
    project = Project(Path("/nowhere"), {name: WORKFLOW, "load/action.yml": ACTION})
    text = expand([github.read(File.of(name, WORKFLOW), project, Settings())])
    found = lines(text)
    assert found[0] == f"# {name} (github): 1 job"
    for line in (
        f"load: # {name}:4",
        "manual: yes",
        f"instances: 2 # {name}:5",
        "- matrix_shard=b",
        f"API_TOKEN: *** # {name}:2 (workflow)",
        f"uses: actions/checkout@v4 # {name}:7",
        "go ${inputs_key} http://***@host ${github_sha} # load/action.yml:5",
    ):
        assert line in found, text
    assert "abcdefgh" not in text
