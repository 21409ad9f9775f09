"""Whatever stands in a linted file, no format lets it command a log reader, break its syntax, or show a secret."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstctl.lint.baseline import render_baseline
from burstctl.lint.check import check
from burstctl.lint.fix import diff, repair
from burstctl.lint.project import Project
from burstctl.lint.render.registry import load, names
from burstctl.lint.settings import Settings

ROOT = ".gitlab-ci.yml"
HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "::error file=a::owned",
    "##vso[task.complete result=Succeeded;]",
    "##[error]owned",
    "]]><owned/>",
    "\"><owned a='",
    "&owned;",
    "a\nb::warning::owned",
    "section_start:1:owned\r\x1b[0K",
    "\u202eowned\u2066",
    "%0A::error::owned",
    "\x9b31m",
    "a" * 3000,
    "\ufffe\uffff",
    "[bold]owned[/bold]",
]
# What no shown text may hold: control characters but line feeds, and marks that turn its direction.
_FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _render(text: str, tmp_path: Path) -> dict[str, str]:
    result = check([ROOT], Project(tmp_path, {ROOT: text}), Settings(jobs=("*",), budget_per_s=1))
    assert result.findings
    shown = {name: load(name).render(result) for name in names()}
    return shown | {"baseline": render_baseline(result), "diff": diff(repair(result, unsafe=True), result)}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_inert_in_every_format(text: str, tmp_path: Path) -> None:
    name = json.dumps(text)
    job = f'{name}:\n  extends: {name}\n  script: ["hey -n 5 $URL/predict  # {json.dumps(text)[1:-1]}"]\n'
    shown = _render(
        job + f'job: {{extends: {name}, script: ["hey -q {json.dumps(text)[1:-1]} $URL/predict"]}}\n', tmp_path
    )
    for format_name, document in shown.items():
        assert not _FORBIDDEN.search(document), format_name
        assert "##vso[" not in document
        assert "##[" not in document
        for line in document.splitlines():
            assert format_name == "github" or not line.lstrip().startswith("::"), format_name
    for line in shown["github"].splitlines():
        assert not line.startswith("::") or re.match(r"::(error|warning|notice) file=[^:]*::", line)
    for format_name in ("junit", "checkstyle"):
        assert not list(ElementTree.fromstring(shown[format_name]).iter("owned"))
    for format_name in ("json", "sarif", "gitlab"):
        json.loads(shown[format_name])


@st.composite
def _files(draw: st.DrawFn) -> tuple[str, str]:
    """Give a secret and a pipeline that holds it in one of the places where secrets stand."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    secret = "x9X" + draw(st.text(alphabet, min_size=10, max_size=60))
    name = draw(st.sampled_from(["API_TOKEN", "DB_PASSWORD", "SECRET", "AWS_SECRET_ACCESS_KEY", "PRIVATE_KEY"]))
    command = draw(
        st.sampled_from(
            [
                f'hey -H "Authorization: Bearer {secret}" $URL/predict',
                f"{name}={secret} hey $URL/predict",
                f"hey -n 5 https://user:{secret}@fleet/predict",
                f"hey -n 5 'https://fleet/predict?api_key={secret}'",
                f"for i in 1 2; do curl -u me:{secret} $URL/predict & done",
                f'for i in 1 2; do curl -H "X-Api-Key: {secret}" $URL/predict & done',
                f"curl --token {secret} $URL/predict; hey -n 5 $URL/predict",
                f"export {name}='{secret}'; hey -n 5 $URL/predict",
                f"hey -n 5 -H 'x-api-key: ${name}' $URL/{secret}/predict",
                "hey -n 5 $URL/predict",
            ]
        )
    )
    level = draw(st.sampled_from(["variables", "job", "rules", "object"]))
    given = {
        "variables": f"variables:\n  {name}: {secret}\n",
        "object": f"variables:\n  {name}:\n    value: {secret}\n    description: a token\n",
    }.get(level, f"variables: {{{name}: '{secret}'}}\n")
    job = "load:\n"
    if level == "job":
        job += f"  variables:\n    {name}: |\n      {secret}\n      {secret}\n"
    if level == "rules":
        job += f"  rules:\n    - if: $A\n      variables: {{{name}: {secret}}}\n"
    return secret, f"{given}{job}  script:\n    - {json.dumps(command)}\n"


@given(_files())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_secret_is_shown_in_no_format(tmp_path: Path, case: tuple[str, str]) -> None:
    secret, text = case
    for format_name, document in _render(text, tmp_path).items():
        assert secret not in document, format_name
