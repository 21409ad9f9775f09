"""GitHub Actions: tells workflows from other files and reads them. Knows few keywords."""

import posixpath
import re
from collections.abc import Sequence

from burstctl.lint.file import File
from burstctl.lint.pipeline import Pipeline
from burstctl.lint.project import Project, Refused
from burstctl.lint.settings import Settings

NAME = "github"

_WORKFLOW = r"\.github/workflows/[^/]+\.ya?ml"
_ACTION = r"(?:.*/)?action\.ya?ml"
_JOBS = r"""(?m)^["']?jobs["']?[ \t]*:"""
_STARTS = r"""(?m)^["']?on["']?[ \t]*:|^[ \t]+runs-on[ \t]*:"""
_USED = r"""(?m)\buses[ \t]*:[ \t]*["']?(\./[^\s"'#,}\]]*)"""
_EVENTS = (
    r"(?<![\w.'-])(?:push|pull_request|pull_request_target|schedule|workflow_dispatch|repository_dispatch|release"
    r"|workflow_run|merge_group|issue_comment|issues|create|delete|deployment|deployment_status|page_build|label)"
    r"(?![\w.-])"
)


def live(path: str) -> bool:
    """Tell whether GitHub itself would run the file at this path below the root."""
    return re.fullmatch(_WORKFLOW, path) is not None


def detect(path: str, head: str) -> bool:
    """Tell whether a file that was named by hand is a workflow: by its folder, else by its words."""
    if not path.endswith((".yml", ".yaml")):
        return False
    if ".github/workflows/" in path:
        return True
    return bool(re.search(_JOBS, head) and re.search(_STARTS, head))


def roots(paths: Sequence[str], project: Project) -> Sequence[str]:
    """Leave out what the workflows among these use: actions, and workflows that nothing else starts."""
    texts = {path: _text(path, project) for path in paths if live(path) or re.fullmatch(_ACTION, path)}
    used: set[str] = set()
    for text in texts.values():
        for name in re.findall(_USED, text):
            inside = (name, f"{name}/action.yml", f"{name}/action.yaml")
            used.update(map(posixpath.normpath, inside))
    return [path for path in paths if path not in used or path not in texts or _starts_itself(path, texts[path])]


def _starts_itself(path: str, text: str) -> bool:
    head = re.split(_JOBS, text, maxsplit=1)[0]
    return re.fullmatch(_WORKFLOW, path) is not None and re.search(_EVENTS, head) is not None


def _text(path: str, project: Project) -> str:
    try:
        file = project.read(path)
    except Refused:
        return ""
    return file.text if file else ""


def read(file: File, project: Project, settings: Settings) -> Pipeline:
    """Read a workflow and all that it uses of the project; `Unreadable` if its file is no readable YAML."""
    from burstctl.lint.github.workflow import read_workflow

    return read_workflow(file, project, settings)
