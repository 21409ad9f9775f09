"""Projects for lint to check, written into a folder. Knows nothing of how they are checked."""

from pathlib import Path

_CHECKED = """\
{name}:
  stage: verify
  variables:
    RATE_LIMIT: 50/s
  script:
    - |
      until curl -sf "$INFERENCE_URL/health"; do sleep 1; done
      oha -q 50 -z 60s "$INFERENCE_URL/predict"
"""
_PLAIN = """\
stages: [build, test]
build:
  stage: build
  script: [make, make install]
test:
  stage: test
  needs: [build]
  script: [make test]
"""


def write_with_includes(folder: Path, count: int = 20) -> None:
    """Write a GitLab pipeline with local includes, each of them with a job that fires load, so that shell is parsed."""
    names = [f"ci/part-{number}.yml" for number in range(count)]
    (folder / "ci").mkdir()
    for number, name in enumerate(names):
        (folder / name).write_text(_CHECKED.format(name=f"load-{number}"))
    lines = "".join(f"  - local: {name}\n" for name in names)
    (folder / ".gitlab-ci.yml").write_text(f"stages: [verify]\ninclude:\n{lines}")


def write_small(folder: Path) -> None:
    """Write a GitLab pipeline of two jobs, in which nothing speaks of load."""
    (folder / ".gitlab-ci.yml").write_text(_PLAIN)


def write_many(folder: Path, count: int = 1000) -> None:
    """Write files that lint reads in full, each in a folder of its own, a quarter of them with load."""
    for number in range(count):
        place = folder / f"service-{number}" / ".gitlab-ci.yml"
        place.parent.mkdir()
        place.write_text(_CHECKED.format(name=f"load-{number}") if number % 4 == 0 else _PLAIN)
