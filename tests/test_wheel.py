"""The wheel, installed elsewhere, does its work without the repository."""

from __future__ import annotations

import email
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DEMO_RUNS = ("run-20260812-101500", "run-20260812-112000", "run-20260812-134500")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the wheel and the sdist, built without the network."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel, tmp_path_factory):
    """A new virtual environment with the wheel in it and no way back to the repository.

    The dependencies come from this environment's site-packages, so that no registry is asked.
    """
    folder = tmp_path_factory.mktemp("elsewhere")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    python = folder / "venv" / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    subprocess.run(
        [*install, "--quiet", "--no-index", "--no-deps", str(wheel)], check=True, capture_output=True
    )
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    here, there = (
        subprocess.run([program, "-c", ask], check=True, capture_output=True, text=True).stdout.strip()
        for program in (sys.executable, python)
    )
    Path(there, "dependencies.pth").write_text(f"{here}\n", encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`harness ARGUMENTS` of the wheel, in its own folder."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(folder / "venv" / "bin" / "harness"), *arguments],
        cwd=folder, env=kept, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip


def test_the_wheel_holds_the_shipped_data(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {f"harness/data/mappings/{path.name}" for path in (ROOT / "mappings").glob("*.yaml")}
    wanted |= {
        f"harness/data/scenarios/contracts/{p.name}"
        for p in (ROOT / "scenarios" / "contracts").glob("*.yaml")
    }
    wanted.add("harness/data/scenarios/topologies.yaml")
    wanted |= {f"harness/data/scenarios/{p.name}" for p in (ROOT / "scenarios").glob("*.scenario.yaml")}
    for run_folder in DEMO_RUNS:
        logs = list((ROOT / "captures" / "golden" / "sit-logs" / run_folder).iterdir())
        assert logs
        wanted |= {f"harness/data/demo/{run_folder}/{log.name}" for log in logs}
    assert wanted <= names
    assert not [name for name in names if name.startswith(("tests/", "bench/"))]


def test_the_wheel_tells_its_version_licence_and_needs(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = email.message_from_string(archive.read(name).decode())
    with (ROOT / "pyproject.toml").open("rb") as file:
        dependencies = tomllib.load(file)["project"]["dependencies"]
    from harness import __version__

    assert metadata["Version"] == __version__
    assert metadata["License-Expression"] == "Apache-2.0"
    assert sorted(
        text.lower() for text in metadata.get_all("Requires-Dist") if "extra ==" not in text
    ) == sorted(d.lower() for d in dependencies)


def test_the_sdist_builds_the_same_wheel(built, wheel, tmp_path):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "again")]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (again,) = (tmp_path / "again").glob("*.whl")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_harness_comes_from_the_wheel(elsewhere):
    python = elsewhere / "venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-c", "import harness; print(harness.__file__)"],
        cwd=elsewhere, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(done.stdout.strip()).is_relative_to(elsewhere)


def test_the_demo_runs_elsewhere(elsewhere):
    """Exit 0: the demo itself compared what it found with what it should find."""
    for arguments in ((), ("--recorded",)):
        done = run(elsewhere, "demo", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "LEAK101" in done.stdout
        assert str(ROOT) not in done.stdout + done.stderr


def test_check_runs_elsewhere(elsewhere):
    name = "leak_controller_output_v2.sse"
    shutil.copy(ROOT / "captures" / "golden" / "openjiuwen-shape" / name, elsewhere / name)
    done = run(elsewhere, "check", "--json", name)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert "LEAK101" in {finding["rule"] for finding in report["rounds"][0]["findings"]}


def test_users_own_mapping_is_read_elsewhere(elsewhere):
    """`--mapping FILE` goes the slow way, through the YAML libraries and the shipped files' text."""
    shutil.copy(ROOT / "mappings" / "openjiuwen.yaml", elsewhere / "mine.yaml")
    name = "leak_controller_output_v2.sse"
    shutil.copy(ROOT / "captures" / "golden" / "openjiuwen-shape" / name, elsewhere / name)
    done = run(elsewhere, "check", "--mapping", "mine.yaml", "--json", name)
    assert done.returncode == 1, done.stderr
