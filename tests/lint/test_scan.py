"""What a mere scan has found is said to be possible, and is one step milder: nothing there is proved."""

from pathlib import Path

import pytest

from burstctl.finding import Confidence, Severity
from burstctl.lint.check import check
from burstctl.lint.project import Project
from burstctl.lint.settings import Settings

COMMAND = 'hey -z 60s "$INFERENCE_URL/predict"'
FILES = {
    "Jenkinsfile": f"node {{ stage('Load') {{ sh '{COMMAND}' }} }}\n",
    ".tekton/load.yml": f"apiVersion: tekton.dev/v1\nkind: Task\nspec:\n  steps:\n  - script: {COMMAND}\n",
    "argo/load.yml": "kind: Workflow\nspec:\n  templates:\n  - name: load\n    script:\n      image: hey\n"
    f"      source: {COMMAND}\n",
}


@pytest.mark.parametrize("path", FILES)
def test_an_error_in_a_scanned_text_is_a_possible_warning(path: str, tmp_path: Path) -> None:
    found = check([path], Project(tmp_path.resolve(), FILES), Settings()).findings
    assert {one.code for one in found} == {"BL101", "BL303"}
    assert {(one.severity, one.confidence) for one in found} == {(Severity.WARNING, Confidence.POSSIBLE)}
