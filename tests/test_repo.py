"""The repository itself: its pages say what is there, and nothing in it names a machine or a registry."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from harness import __version__

ROOT = Path(__file__).resolve().parent.parent
UNTRACKED = {
    ".git", ".venv", ".openjiuwen", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis", "__pycache__", "dist", "build", "node_modules",
}  # fmt: skip
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "captures/golden/README.md",
        ROOT / "reports/README.md",
    ]
)
TARGETS = {"help", "setup", "demo", "test", "check", "bench", "soak", "docs", "fuzz", "e2e-openjiuwen"}

GENERATORS = (
    "mapping.generate", "rules.generate", "capture.redaction.generate", "diff.generate", "cli.docs",
)  # fmt: skip

# Written in two halves, so that this file passes its own test.
HOSTS = [
    "pypi" ".org", "python" "hosted", "crates" ".io", "npm" "js", "proxy.golang" ".org", "repo1" ".maven",
    "repo.maven" ".apache", "maven" ".org", "deb.debian" ".org", "index" "-url", "find" "-links",
]  # fmt: skip
MACHINE = re.compile(r"(?<![\w.~-])/(?:wo" r"rk|ro" r"ot|ho" r"me/\w+)/|\.\./sha" r"red")


def own_files() -> list[Path]:
    """Every file that git tracks or would track; the captures are data and left out."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in UNTRACKED]
        relative = Path(folder).relative_to(ROOT)
        if relative.parts[:1] == ("captures",):
            folders[:] = [name for name in folders if name == "golden" and relative.parts == ("captures",)]
        if relative.parts[:1] == ("reports",):
            names = [name for name in names if name in ("README.md", ".gitignore")]
        found += [Path(folder, name) for name in names if not name.endswith((".pyc", ".so"))]
    return sorted(found)


def texts() -> list[tuple[str, str]]:
    return [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in own_files()]


def test_no_registry_is_named():
    told = [f"{name}: {host}" for name, text in texts() for host in HOSTS if host in text]
    assert not told, (
        "a file names the address of a package registry; leave it to the user's client: " + "; ".join(told)
    )


def test_no_machine_is_named():
    told = [f"{name}: {found[0]}" for name, text in texts() for found in MACHINE.finditer(text)]
    assert not told, "a path of one machine, or of a folder outside the repository: " + "; ".join(told)


def makefile() -> str:
    return (ROOT / "Makefile").read_text(encoding="utf-8")


def targets() -> set[str]:
    return {
        name
        for line in re.findall(r"^([a-z0-9 -]+):(?!=)", makefile(), re.MULTILINE)
        for name in line.split()
    }


def test_the_makefile_is_short_and_has_the_targets():
    assert len(makefile().rstrip("\n").split("\n")) <= 40
    assert targets() == TARGETS


def test_every_target_but_help_rests_on_setup():
    for line in re.findall(r"^([a-z0-9 -]+:(?!=).*)$", makefile(), re.MULTILINE):
        names, needs = line.split("##")[0].split(":")
        if names not in ("help", "setup"):
            assert needs.split() == (["fuzz"] if names == "soak" else ["setup"]), line


def test_the_gate_runs_check_and_test():
    text = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert os.access(ROOT / ".ci/run", os.X_OK)
    commands = [line for line in text.split("\n") if line.startswith("make ")]
    assert commands == ["make setup", "make check", "make test"]
    recipe = makefile().partition("\ncheck:")[2].partition("\n\n")[0]
    *steps, loop = [line.removeprefix("\t$(PY) -m ") for line in recipe.split("\n")[1:]]
    assert steps == ["ruff format --check .", "ruff check .", "mypy"]
    assert loop == "\t@for one in $(GENERATED); do $(PY) -m harness.$$one --check || exit 1; done"
    assert f"\nGENERATED := {' '.join(GENERATORS)}\n" in makefile()
    assert "set -euo pipefail" in text
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert "entry: make check" in hooks


def locked() -> dict[str, str]:
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").split("\n")
    pins = [line for line in lines if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.+!]*", pin) for pin in pins), pins
    return {normal(name): version for name, _, version in (pin.partition("==") for pin in pins)}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_pins_all_that_is_declared():
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)
    declared = (
        project["project"]["dependencies"]
        + project["dependency-groups"]["dev"]
        + project["build-system"]["requires"]
    )
    declared += [
        text for texts in project["project"].get("optional-dependencies", {}).values() for text in texts
    ]
    names = {normal(re.split(r"[><=!~\[ ]", text)[0]) for text in declared}
    assert names <= set(locked()), f"not in requirements.lock: {names - set(locked())}; run scripts/lock.sh"


def test_no_second_lock_file():
    assert not (ROOT / "uv.lock").exists()


def test_the_python_version_is_one_that_is_supported():
    assert (ROOT / ".python-version").read_text(encoding="utf-8").strip() == "3.13"


def test_git_hides_run_folders_but_no_golden_capture(tmp_path):
    """Asked of git itself, in a repository that has our .gitignore only."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports/.gitignore").write_bytes((ROOT / "reports/.gitignore").read_bytes())
    golden = [str(path.relative_to(ROOT)) for path in (ROOT / "captures/golden").rglob("*") if path.is_file()]
    hidden = ["captures/run-20260811-093000/x.sse", ".venv/bin/python", "reports/x.json", "dist/x.whl"]
    shown = ["reports/README.md", "reports/.gitignore"]
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "--stdin"],
        cwd=tmp_path, input="\n".join(golden + hidden + shown), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert asked.stdout.split("\n")[:-1] == hidden
    assert len(golden) > 1000


def test_captures_keep_their_bytes():
    assert "captures/** -text" in (ROOT / ".gitattributes").read_text(encoding="utf-8").split("\n")


def test_the_licence_is_the_full_text():
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License\n                           Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_changelog_knows_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\]", text, re.MULTILINE)
    assert headings[0] == "Unreleased" or headings[0] == __version__
    assert "Keep a Changelog" in text


def code_in(text: str) -> list[str]:
    """Lines of fenced blocks, and inline code."""
    fences = re.findall(r"^```[a-z]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```[a-z]*\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", prose)
    return [line for fence in fences for line in fence.split("\n")] + inline


def page_id(path: Path) -> str:
    return str(path.relative_to(ROOT))


def commands_of_harness() -> set[str]:
    from harness.cli.main import COMMANDS

    return set(COMMANDS)


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_pages_name_commands_that_exist(page):
    code = code_in(page.read_text(encoding="utf-8"))
    made = [found[1] for line in code if (found := re.match(r"(?: {4}|\$ )?make ([a-z0-9 -]+)", line))]
    assert {name for names in made for name in names.split()} <= targets()
    if page.name == "not-supported.md":
        return
    called = {
        name for line in code for name in re.findall(r"^(?:\$ )?(?:\.venv/bin/)?harness ([a-z]+)", line)
    }
    assert called <= commands_of_harness()


OTHERS = {"scenarios/waivers.yaml"}
"""Files that other projects have and this one must not: its own leaks stay red."""


def test_files_of_other_projects_are_not_here():
    assert not [name for name in OTHERS if (ROOT / name).exists()]


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_pages_name_files_that_exist(page):
    """Every path in code that starts with one of our folders, and every relative link."""
    text = page.read_text(encoding="utf-8")
    folders = r"(?:harness|tests|mappings|scenarios|captures/golden|docs|bench|scripts|\.ci)/"
    named = {w for line in code_in(text) for w in re.findall(rf"(?<![\w/.-]){folders}[\w./-]*", line)}
    missing = [name for name in named - OTHERS if not (ROOT / name.rstrip(".")).exists()]
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    missing += [link for link in links if not (page.parent / link).exists()]
    if page.name == "CONTRIBUTING.md":
        missing = [name for name in missing if "NAME" not in name and "FAMILY" not in name]
    assert not missing, f"{page_id(page)} names what is not there: {missing}"


def test_both_readmes_say_the_same():
    """The same code blocks and tables of the same size under as many headings, in both languages."""
    english, chinese = (
        ROOT.joinpath(name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md")
    )
    fence = re.compile(r"^```(?:console|yaml|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
    assert fence.findall(english) == fence.findall(chinese)
    for pattern in (r"^#+ ", r"^\|", r"^\d+\. "):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(
            re.findall(pattern, chinese, re.MULTILINE)
        )


def test_the_architecture_page_stays_short_and_names_its_tests():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(text.split("\n")) <= 61
    assert len(set(re.findall(r"`tests/[\w/.]+`", text))) >= 6


def test_the_pages_ranks_are_the_tests_ranks():
    from tests.test_imports import RANKS

    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    written = {}
    for rank, names in re.findall(r"^\| (\d) \| (.+?) \|", text, re.MULTILINE):
        written |= {name: int(rank) for name in re.findall(r"`(\w+)`", names)}
    existing = {p.stem if p.suffix else p.name for p in (ROOT / "harness").iterdir()}
    assert written == {name: rank for name, rank in RANKS.items() if name in existing}
