"""A fleet's files as a user lints them: which are found, how much a finding matters, what is repaired."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from burstctl.finding import Confidence, Finding, Severity
from burstctl.lint.check import check
from burstctl.lint.configuration import settings_from
from burstctl.lint.discover import discover
from burstctl.lint.fix import repair
from burstctl.lint.project import Project
from burstctl.lint.result import Result

GROUP = """\
resource "aws_autoscaling_group" "NAME" {
  min_size = 3
  max_size = 3
}
"""
TARGETS = """\
resource "aws_lb_target_group" "inference" {
  deregistration_delay = 300

  health_check {
    interval            = 30
    unhealthy_threshold = 3
  }
}
"""
UNIT = "[Service]\nExecStart=/usr/bin/gunicorn {} app:app\n{}"


def write(root: Path, files: Mapping[str, str | bytes]) -> Project:
    for name, text in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return Project(root.resolve())


def lint(root: Path, files: Mapping[str, str | bytes], **settings: object) -> Result:
    project = write(root, files)
    return check(list(discover(project, project.root)), project, settings_from(settings, "the test"))


def of(result: Result, code: str) -> Finding:
    return next(one for one in result.findings if one.code == code)


def test_files_that_start_no_server_and_declare_no_fleet_are_not_looked_at(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "Dockerfile": "FROM python\nRUN pip install gunicorn\nCMD python app.py\n",
        "build.sh": "make all # and start gunicorn app:app later\n".replace(" # and", "\n# and"),
        "latin.sh": "# f\xfcr gunicorn\ngunicorn app:app\n".encode("latin-1"),
        "nginx.service": "[Service]\nExecStart=/usr/sbin/nginx\n",
        "bucket.tf": 'resource "aws_s3_bucket" "logs" {}\n',
        "cfn/bucket.yml": "Resources: {Logs: {Type: AWS::S3::Bucket}}\n",
        "template.json": "{not even JSON",
        "conf/gunicorn.conf.py": "bind = 'x'\n",
        "Dockerfile.md": "CMD gunicorn app:app\n",
    }
    project = write(tmp_path, files)
    assert list(discover(project, project.root)) == []


def test_files_of_a_fleet_are_found_wherever_they_are(tmp_path: Path) -> None:
    files = {
        "api/Dockerfile": 'CMD ["gunicorn", "-w", "4", "app:app"]\n',
        "deploy/start.sh": "exec gunicorn -w 4 app:app\n",
        "deploy/api@.service": UNIT.format("-w 4", "Restart=always\n"),
        "infra/asg.tf": GROUP,
        "infra/cfn/fleet.json": '{\n\t"Resources": {"G": {"Type": "AWS::AutoScaling::AutoScalingGroup"}}\n}',
        "gunicorn.conf.py": "workers = 4\n",
    }
    project = write(tmp_path, files)
    assert sorted(discover(project, project.root)) == sorted(files)
    assert lint(tmp_path, files).checked == sorted(files)


def test_a_ci_file_whose_name_sounds_like_a_template_stays_a_ci_file(tmp_path: Path) -> None:
    text = "deploy-cfn:\n  script:\n    - aws cloudformation deploy\n"
    project = write(tmp_path, {"ci/cfn.gitlab-ci.yml": text})
    assert check(["ci/cfn.gitlab-ci.yml"], project, settings_from({}, "the test")).findings == []


@pytest.mark.parametrize(
    ("name", "fleet", "severity"),
    [
        ("inference", [], Severity.WARNING),
        ("llm_workers", [], Severity.WARNING),
        ("bastion", [], Severity.NOTICE),
        ("bastion", ["bast*"], Severity.WARNING),
        ("inference", ["bast*"], None),
    ],
)
def test_a_group_matters_as_much_as_its_name_or_the_settings_say(
    name: str, fleet: list[str], severity: Severity | None, tmp_path: Path
) -> None:
    found = lint(tmp_path, {"main.tf": GROUP.replace("NAME", name)}, **({"fleet": fleet} if fleet else {}))
    assert {one.severity for one in found.findings} == ({severity} if severity else set())
    assert {one.code for one in found.findings} == ({"BL401", "BL402"} if severity else set())


def test_a_target_group_matters_as_much_as_the_group_behind_it(tmp_path: Path) -> None:
    link = "  target_group_arns = [aws_lb_target_group.web.arn]\n}\n"
    files = {
        "a.tf": GROUP.replace("NAME", "inference").replace("}\n", link),
        "b.tf": TARGETS.replace("inference", "web"),
    }
    assert of(lint(tmp_path, files), "BL403").severity is Severity.WARNING
    assert of(lint(tmp_path, files | {"a.tf": ""}), "BL403").severity is Severity.NOTICE


def test_a_finding_says_where_a_value_comes_from(tmp_path: Path) -> None:
    text = GROUP.replace("NAME", "inference").replace("max_size = 3", "max_size = var.most")
    found = of(lint(tmp_path, {"main.tf": text, "variables.tf": 'variable "most" {\n  default = 3\n}\n'}), "BL401")
    assert "from var.most (variables.tf:2)" in found.message
    assert found.confidence is Confidence.LIKELY
    assert (found.path, found.line, found.column) == ("main.tf", 3, 14)


def test_columns_count_characters_and_not_bytes(tmp_path: Path) -> None:
    text = GROUP.replace("NAME", "inference").replace("  max", "  /* größer – „nie“ 🚀 */ max")
    found = of(lint(tmp_path, {"main.tf": text}), "BL401")
    column = text.splitlines()[2].index("= 3") + 3
    assert (found.line, found.column, found.end_column) == (3, column, column + 1)


def test_one_worker_is_a_warning_in_a_unit_and_a_notice_in_an_image(tmp_path: Path) -> None:
    found = lint(tmp_path, {"api.service": UNIT.format("", "Restart=always\n"), "Dockerfile": "CMD gunicorn app:app\n"})
    severities = {one.path: one.severity for one in found.findings if one.code == "BL501"}
    assert severities == {"api.service": Severity.WARNING, "Dockerfile": Severity.NOTICE}


def test_what_a_file_that_is_not_here_may_say_makes_a_notice(tmp_path: Path) -> None:
    found = of(lint(tmp_path, {"api.service": UNIT.format("-c /etc/api.py", "Restart=always\n")}), "BL501")
    assert found.severity is Severity.NOTICE
    assert "api.py isn't here" in found.message


def test_a_configuration_that_a_unit_names_is_told_with_the_unit(tmp_path: Path) -> None:
    files = {"api.service": UNIT.format("-c /etc/api.py", "Restart=always\n"), "conf/api.py": "workers = 1\n"}
    found = of(lint(tmp_path, files), "BL501")
    assert (found.path, found.line) == ("conf/api.py", 1)
    assert found.hint
    assert "api.service starts it: in conf/api.py, found by its name" in found.hint


def test_a_time_out_above_the_balancers_is_a_warning_once_that_is_known(tmp_path: Path) -> None:
    files = {"api.service": UNIT.format("-w 4 -t 120", "Restart=always\n")}
    assert of(lint(tmp_path, files), "BL502").severity is Severity.NOTICE
    assert of(lint(tmp_path, files, **{"balancer-idle-timeout": "60s"}), "BL502").severity is Severity.WARNING


def test_a_unit_is_repaired_by_a_line_of_its_own_line_ends(tmp_path: Path) -> None:
    files = {"api.service": UNIT.format("-w 4", "[Install]\n").replace("\n", "\r\n")}
    (repaired,) = repair(lint(tmp_path, files), unsafe=False)
    assert repaired.text == UNIT.format("-w 4", "Restart=on-failure\n[Install]\n").replace("\n", "\r\n")
    assert lint(tmp_path, {"api.service": repaired.text}).findings == []


def test_sizes_of_a_balancer_are_repaired_only_when_asked_for(tmp_path: Path) -> None:
    files = {"main.tf": TARGETS}
    assert repair(lint(tmp_path, files), unsafe=False) == []
    (repaired,) = repair(lint(tmp_path, files), unsafe=True)
    assert repaired.text == TARGETS.replace("300", "30").replace("interval            = 30", "interval            = 10")
    assert lint(tmp_path, {"main.tf": repaired.text}).findings == []


def test_comments_silence_findings_in_terraform_and_units(tmp_path: Path) -> None:
    files = {
        "main.tf": GROUP.replace("NAME", "inference")
        .replace("resource", "# burstctl: ignore[BL402] scaled by hand\nresource")
        .replace("  max_size = 3", "  max_size = 3 # burstctl: ignore[BL401] licences"),
        "api.service": "[Service]\n# burstctl: ignore[BL501] one GPU\nExecStart=/bin/gunicorn a:b\nRestart=always\n",
    }
    assert lint(tmp_path, files).findings == []


def test_a_module_that_is_named_alone_is_judged_alone(tmp_path: Path) -> None:
    files = {
        "main.tf": 'module "fleet" {\n  source = "./fleet"\n  most   = 3\n}\n',
        "fleet/main.tf": GROUP.replace("NAME", "inference").replace("max_size = 3", "max_size = var.most"),
    }
    project = write(tmp_path, files)
    alone = check(["fleet/main.tf"], project, settings_from({}, "the test"))
    assert [one.code for one in alone.findings] == ["BL402"]
    whole = check(["fleet/main.tf", "main.tf"], project, settings_from({}, "the test"))
    assert [one.code for one in whole.findings] == ["BL402", "BL401"]
    assert whole.checked == ["fleet/main.tf", "main.tf"]


def test_modules_that_call_each_other_are_refused_by_nobody_and_end(tmp_path: Path) -> None:
    call = 'module "other" {\n  source = "../OTHER"\n}\n'
    files = {
        "a/main.tf": call.replace("OTHER", "b") + GROUP.replace("NAME", "inference"),
        "b/main.tf": call.replace("OTHER", "a"),
    }
    assert {one.code for one in lint(tmp_path, files).findings} == {"BL401", "BL402"}


def test_a_text_on_standard_input_stands_for_its_file(tmp_path: Path) -> None:
    project = write(tmp_path, {"main.tf": GROUP.replace("NAME", "inference").replace("max_size = 3", "max_size = 9")})
    project.overlay["main.tf"] = GROUP.replace("NAME", "inference")
    found = check(["main.tf"], project, settings_from({}, "the test")).findings
    assert {one.code for one in found} == {"BL401", "BL402"}


def test_the_example_of_a_fleet_has_no_findings() -> None:
    folder = Path(__file__).parents[2] / "examples" / "infrastructure"
    project = Project(folder.resolve())
    result = check(list(discover(project, project.root)), project, settings_from({}, "the test"))
    assert result.findings == []
    assert result.checked == ["inference.service", "main.tf", "variables.tf"]
