"""docs/ci.md: its files are what `harness init` writes, and its commands are run and end as it says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from harness.cli.initial.files import CI_FILES, template
from harness.cli.main import COMMANDS
from harness.cli.newest import FOLDERS
from harness.cli.outputs import FORMATS
from tests.e2e.sdk_server import SdkServer

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
GOLDEN = ROOT / "captures/golden/sit-logs/run-20260811-093000"
INSTALL = "-m pip install a2a-harness"
pytestmark = pytest.mark.usefixtures("no_hang")


def blocks(lang: str) -> list[str]:
    return re.findall(rf"^```{lang}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


GITHUB, GITHUB_PYTEST, GITLAB, GITLAB_PYTEST = blocks("yaml")
JENKINS, JENKINS_PYTEST = blocks("groovy")


def github(text: str) -> list[str]:
    """The scripts of the job's steps."""
    [job] = yaml.safe_load(text)["jobs"].values()
    return [step["run"] for step in job["steps"] if "run" in step]


def gitlab(text: str) -> list[str]:
    [job] = yaml.safe_load(text).values()
    return [*job["before_script"], *job["script"], *job.get("after_script", ())]


def jenkins(text: str) -> list[str]:
    """What the steps `sh` run; a program of the job's environment stands on PATH here."""
    found = re.findall(r"sh '''\n(.*?)'''|sh '([^'\n]*)'", text, re.DOTALL)
    return ["".join(one).replace(".venv/bin/", "") for one in found]


class Job(NamedTuple):
    """The commands of one of the page's files."""

    scripts: tuple[str, ...]
    reports: tuple[str, ...]


def job(scripts: list[str]) -> Job:
    """Those that can run here: the package is there, and Allure's site is built by the pipeline's test."""
    assert INSTALL in scripts[0]
    kept = [one for one in scripts[1:] if not one.startswith("npx ")]
    reports = re.findall(r"(?:-o |--junitxml=|gitlab=)(reports/\S+)", "\n".join(kept).replace("gitlab=", ""))
    return Job(tuple(kept), tuple(reports))


JOBS = {
    "github": job(github(GITHUB)),
    "github-pytest": job(github(GITHUB_PYTEST)),
    "gitlab": job(gitlab(GITLAB)),
    "gitlab-pytest": job(gitlab(GITLAB_PYTEST)),
    "jenkins": job(jenkins(JENKINS)),
    "jenkins-pytest": job(jenkins(JENKINS_PYTEST)),
}


@pytest.fixture(scope="module")
def agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


def shell(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A script as a CI system runs it."""
    environment = {"PATH": f"{BIN}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "HOME": str(folder)}
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment,
        capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


@pytest.fixture
def project(tmp_path: Path, agent: SdkServer) -> Path:
    """What `harness init` writes against a running agent of the official SDK."""
    done = shell(f"harness init --entry {agent.url}", tmp_path)
    assert done.returncode == 0, done.stderr
    return tmp_path


@pytest.mark.parametrize(("ci", "text"), [("github", GITHUB), ("gitlab", GITLAB), ("jenkins", JENKINS)])
def test_the_first_file_of_each_system_is_what_init_writes(ci: str, text: str) -> None:
    assert text == template(CI_FILES[ci][1])
    assert f"this is what `harness init --ci {ci}` writes" in PAGE
    assert f"`{CI_FILES[ci][0]}`" in PAGE


@pytest.mark.parametrize("name", JOBS)
def test_the_commands_of_a_file_run_and_leave_their_reports(project: Path, name: str) -> None:
    for script in JOBS[name].scripts:
        done = shell(script, project)
        assert done.returncode == 0, done.stdout + done.stderr
    assert len(JOBS[name].reports) >= 3
    for path in JOBS[name].reports:
        assert (project / path).stat().st_size > 0, path
    assert len(list((project / "captures").iterdir())) == 1, "the system is driven once"


@pytest.mark.parametrize("name", JOBS)
def test_a_broken_contract_makes_the_job_red(project: Path, name: str) -> None:
    """The agent that drops the stream has no end of the task: END502, and the job still writes its reports."""
    [scenario] = (project / "scenarios").glob("*.scenario.yaml")
    scenario.write_text(scenario.read_text().replace("send: Hello", "send: drop please"))
    codes = [shell(script, project).returncode for script in JOBS[name].scripts]
    assert 1 in codes
    assert set(codes) <= {0, 1}
    assert [path for path in JOBS[name].reports if not (project / path).exists()] == []
    report = json.loads((project / "reports/harness.json").read_text())
    assert report["exit"] == 1


@pytest.mark.parametrize("text", [GITHUB, GITHUB_PYTEST])
def test_what_a_workflow_of_github_uploads_is_written_or_may_be_absent(text: str) -> None:
    [one] = yaml.safe_load(text)["jobs"].values()
    for step in one["steps"]:
        uses = step.get("uses", "")
        assert re.fullmatch(r"|[\w.-]+/[\w./-]+@v\d+", uses)
        if "upload" in uses:
            assert step["if"].startswith("always()")
    assert "reports/harness.sarif" in text.partition("uses:")[2]


@pytest.mark.parametrize("text", [GITLAB, GITLAB_PYTEST])
def test_what_gitlab_reads_is_written(text: str) -> None:
    [one] = yaml.safe_load(text).values()
    script = "\n".join(gitlab(text))
    for path in one["artifacts"]["reports"].values():
        assert path in script
    assert one["artifacts"]["when"] == "always"


def commands() -> list[tuple[str, int]]:
    """The commands of the page's shell blocks, with the exit codes that stand behind them."""
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    found = [re.fullmatch(r"(\S.*?) +# exit (\d)", line) for line in lines]
    assert all(found), lines
    return [(one[1], int(one[2])) for one in found if one]


def test_the_commands_of_the_text_end_as_it_says(tmp_path: Path) -> None:
    """In the order of the page, in one folder: the suite's last run leaks, and so does the one in captures."""
    for folder in ("target/sit-logs/wire", "captures"):
        shutil.copytree(GOLDEN, tmp_path / folder / GOLDEN.name)
    (tmp_path / "reports").mkdir()
    for command, code in commands():
        done = shell(command, tmp_path)
        assert done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"
        (tmp_path / "harness.toml").unlink(missing_ok=True)  # the golden run is of the shipped topologies
    assert "TODO" in (tmp_path / "drafts.yaml").read_text()


def test_every_command_and_format_it_names_exists() -> None:
    assert set(re.findall(r"`?harness ([a-z]+)", PAGE)) <= set(COMMANDS)
    assert all(f"`{folder}/" in PAGE or f" {folder}" in PAGE for folder in FOLDERS)
    assert [ending for ending in FORMATS.values() if ending in (".json", ".xml", ".sarif", ".md") and f"FILE{ending}`" not in PAGE] == []  # fmt: skip


def test_the_exit_codes_are_all_told() -> None:
    codes = re.findall(
        r"^\| (\d) \| ", PAGE.partition("## Exit codes")[2].partition("## Two ways")[0], re.MULTILINE
    )
    assert codes == ["0", "1", "2", "3", "4"]
