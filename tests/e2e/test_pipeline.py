"""A CI job from the wheel to the site of reports, against an agent of the official SDK: `pipeline.sh`, for each verdict."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from harness.cli.outputs import FORMATS
from tests.e2e.sdk_server import SdkServer
from tests.e2e.test_allure_site import allure
from tests.test_wheel import built, wheel

__all__ = ["allure", "built", "wheel"]
"""Fixtures: the wheel, built without the network, and the command line of Allure."""

SCRIPT = Path(__file__).with_name("pipeline.sh")
SCENARIO = "scenarios/pilot-01.scenario.yaml"
REPORTS = ("harness.json", "harness.xml", "harness.sarif", "harness.md", "harness.html", "codequality.json", "pytest.xml", "allure-results", "summary.md")  # fmt: skip

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_hang")]


class Done(NamedTuple):
    """What became of one job."""

    pytest: int
    check: int
    code: int
    out: str


class Project:
    """A folder with its environment, as a job has it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def step(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        environment = {
            "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8",
            "PYTHON": sys.executable, "SITE": sysconfig.get_path("purelib"),
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(self.folder / "reports/summary.md"), **more,
        }  # fmt: skip
        return subprocess.run(
            ["sh", str(SCRIPT), *words], cwd=self.folder, env=environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def job(self, **more: str) -> Done:
        for path in (self.folder / "reports").glob("*.*"):
            path.unlink()
        done = self.step("job", **more)
        found = re.search(r"^pytest=(\d+) check=(\d+)$", done.stdout, re.MULTILINE)
        assert found, done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        missing = [name for name in REPORTS if not (self.folder / "reports" / name).exists()]
        assert missing == []
        return Done(int(found[1]), int(found[2]), done.returncode, done.stdout)

    def report(self, name: str) -> Any:
        return json.loads((self.folder / "reports" / name).read_text(encoding="utf-8"))

    def write(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text, encoding="utf-8")

    def say(self, text: str) -> None:
        """Have the first round send this."""
        scenario = (self.folder / SCENARIO).read_text(encoding="utf-8")
        self.write(SCENARIO, re.sub(r"send: .*", f"send: {text}", scenario))

    def statuses(self) -> dict[str, str]:
        """What Allure's results say of each item."""
        files = (self.folder / "reports/allure-results").glob("*-result.json")
        results = [json.loads(path.read_text(encoding="utf-8")) for path in files]
        return {one["name"]: one["status"] for one in results}

    @property
    def findings(self) -> list[dict[str, Any]]:
        report = self.report("harness.json")
        return [*(each for one in report["rounds"] for each in one["findings"]), *report["findings"]]


@pytest.fixture(scope="module")
def agent() -> Iterator[SdkServer]:
    with SdkServer() as server:
        yield server


@pytest.fixture(scope="module")
def project(wheel: Path, agent: SdkServer, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Installed from the wheel, and made by `harness init`."""
    made = Project(tmp_path_factory.mktemp("pilot"))
    for words in (("install", str(wheel)), ("init", agent.url)):
        done = made.step(*words)
        assert done.returncode == 0, done.stdout + done.stderr
    return made


@pytest.fixture(autouse=True)
def no_waivers(project: Project) -> None:
    project.write("scenarios/waivers.yaml", "version: 1\nwaivers: []\n")


def waived(project: Project, expires: str) -> None:
    """Accept all that is red: what `--write-waivers` drafts, decided."""
    draft = project.folder / "scenarios/drafts.yaml"
    harness = project.folder / "venv/bin/harness"
    subprocess.run([harness, "check", "--scenario", "scenarios", "--write-waivers", str(draft)], cwd=project.folder, check=False, capture_output=True)  # fmt: skip
    text = draft.read_text(encoding="utf-8")
    draft.unlink()
    text = re.sub(r"issue: .*", "issue: https://tracker.example/1", text)
    text = re.sub(r"expires: .*", f"expires: {expires}", text)
    project.write("scenarios/waivers.yaml", re.sub(r"(reason|owner): .*", r"\1: pilot", text))


def test_the_package_comes_from_the_wheel(project: Project) -> None:
    python = project.folder / "venv/bin/python"
    done = subprocess.run([python, "-c", "import harness; print(harness.__file__)"], cwd=project.folder, capture_output=True, text=True, check=True)  # fmt: skip
    assert Path(done.stdout.strip()).is_relative_to(project.folder)


def test_green(project: Project) -> None:
    project.say("complete please")
    done = project.job()
    assert done[:3] == (0, 0, 0), done.out
    assert project.findings == []
    assert project.statuses() == {"pilot-01 r1": "passed", "pilot-01 contract[masked]": "passed"}


def test_red_in_every_report(project: Project) -> None:
    project.say("drop please")
    done = project.job()
    assert done[:3] == (1, 1, 1), done.out
    rules = sorted(one["rule"] for one in project.findings if one["severity"] == "error")
    assert "END502" in rules
    [run] = project.report("harness.sarif")["runs"]
    assert sorted(one["ruleId"] for one in run["results"] if one["level"] == "error") == rules
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == SCENARIO
    quality = [one["check_name"] for one in project.report("codequality.json") if one["severity"] in ("critical", "blocker", "major")]  # fmt: skip
    assert sorted(quality) == rules
    for name in ("harness.xml", "pytest.xml"):
        assert ET.parse(project.folder / "reports" / name).getroot().find(".//failure") is not None
    for name in ("harness.md", "harness.html", "summary.md"):
        assert "END502" in (project.folder / "reports" / name).read_text(encoding="utf-8")
    assert "::error " in done.out
    assert project.statuses()["pilot-01 r1"] == "failed"


def test_waived_and_expired(project: Project) -> None:
    project.say("drop please")
    project.job()
    waived(project, "2999-12-31")
    done = project.job()
    assert done[:3] == (0, 0, 0), done.out
    assert {one["waived"] is not None for one in project.findings if one["severity"] == "error"} == {True}
    [run] = project.report("harness.sarif")["runs"]
    assert all(one.get("suppressions") for one in run["results"] if one["level"] == "error")
    assert "waived" in (project.folder / "reports/harness.md").read_text(encoding="utf-8").lower()
    waivers = (project.folder / "scenarios/waivers.yaml").read_text(encoding="utf-8")
    project.write("scenarios/waivers.yaml", waivers.replace("2999-12-31", "2020-01-01"))
    done = project.job()
    assert done[:3] == (1, 1, 1), done.out
    assert "WAIV101" in {one["rule"] for one in project.findings}


def test_inconclusive(project: Project, agent: SdkServer) -> None:
    """Nobody answers where sut.yaml says: nothing is proven, and nothing is green."""
    sut = (project.folder / "sut.yaml").read_text(encoding="utf-8")
    project.write("sut.yaml", re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:9", sut))
    try:
        done = project.job()
    finally:
        project.write("sut.yaml", sut)
    assert done[:3] == (1, 3, 1), done.out
    assert project.report("harness.json")["exit"] == 3
    assert project.statuses()["pilot-01 r1"] == "unknown"


def test_the_site_of_allure(project: Project, allure: list[str]) -> None:
    project.say("drop please")
    done = project.job(ALLURE=allure[-1])
    assert done[:3] == (1, 1, 1), done.out
    site = project.folder / "reports/allure"
    assert (site / "index.html").stat().st_size > 0
    data = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.json"))
    assert "END502" in data
    assert "contract[masked]" in data


def test_a_run_that_is_there_is_judged_without_driving(project: Project) -> None:
    """What the command line names wins over the system that pytest.ini names."""
    project.say("complete please")
    project.job()
    runs = sorted((project.folder / "captures").iterdir())
    python = project.folder / "venv/bin/python"
    done = subprocess.run([python, "-m", "pytest", "--run", str(runs[-1])], cwd=project.folder, capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert sorted((project.folder / "captures").iterdir()) == runs


def test_every_format_is_asked_for() -> None:
    text = SCRIPT.read_text(encoding="utf-8")
    for name, ending in FORMATS.items():
        assert f"reports/harness{ending}" in text if ending else f"-o {name}=reports/" in text
