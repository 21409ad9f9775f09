"""Whatever stands in a GitLab file, reading it ends with a pipeline whose places all lie within its files."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from burstctl.lint.dialect import gitlab
from burstctl.lint.document import Unreadable
from burstctl.lint.expand import expand
from burstctl.lint.file import File, Span
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

WORDS = st.sampled_from(
    """
    script before_script after_script extends variables rules when never manual if parallel matrix trigger include local
    project file inputs needs job services image name alias environment inherit default stages workflow .a .b job2 kid
    a.yml .gitlab-ci.yml spec hooks run step value description options retry max timeout tags $[[inputs.x]] 3 0 201 echo
    """.split()  # noqa: SIM905 - three lines instead of fifty
)
SCALARS = st.one_of(WORDS, st.integers(-1, 300), st.booleans(), st.none(), st.text(max_size=5))
REFERENCES = st.lists(WORDS, max_size=3).map(lambda path: {"!reference": path})
VALUES = st.recursive(
    SCALARS | REFERENCES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=25,
)
DOCUMENTS = st.dictionaries(WORDS, VALUES, max_size=6)


def written(value: Any) -> str:
    """Write a value in YAML's flow style, with the tag for references."""
    match value:
        case {"!reference": path}:
            return f"!reference {json.dumps(path)}"
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)}: {written(one)}" for key, one in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value)


def within(span: Span) -> bool:
    return 0 <= span.start <= span.end <= len(span.file.text)


@settings(max_examples=600, deadline=None)
@given(DOCUMENTS, DOCUMENTS, st.booleans())
def test_any_document_is_read(root: dict[str, Any], other: dict[str, Any], header: bool) -> None:
    head = '{"spec": {"inputs": {"x": {"default": [1, two]}}}}\n---\n' if header else ""
    text = head + written(root) + "\n"
    project = Project(Path("/nowhere"), {".gitlab-ci.yml": text, "a.yml": head + written(other) + "\n"})
    file = project.read(".gitlab-ci.yml")
    assert isinstance(file, File)
    try:
        pipeline = gitlab.read(file, project, Settings())
    except Unreadable:
        return
    assert all(within(hit.span) for hit in pipeline.hits)
    for job in pipeline.jobs:
        assert job.instances is None or job.instances >= 1
        assert not job.matrix or len(job.matrix) == job.instances
        for script in job.scripts:
            assert all(within(script.locate(index, index + 1)) for index in range(0, len(script.text), 3))
    assert expand([pipeline])
