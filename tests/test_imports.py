"""The import rules of ARCHITECTURE.md: ranks, the only places of certain libraries, and what stays unloaded.

A violation is printed as a sentence with the offending line, so that the mend needs no other page.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent

RANKS = {
    "model": 0, "errors": 0, "jsontext": 0, "yamltext": 0, "generated": 0,
    "wire": 1, "capture": 1, "mapping": 1, "topologies": 1, "scenario": 1,
    "a2a": 2, "llm": 2,
    "judge": 3, "rules": 3, "waivers": 3, "baseline": 3, "diff": 3, "history": 3,
    "pipeline": 4, "report": 4,
    "record": 5, "replay": 5, "drive": 5, "testbed": 5, "summary": 5,
    "live": 6,
    "cli": 7, "pytest_plugin": 7,
}  # fmt: skip

PARTS = {
    "lanes": "pipeline",
    "rounds": "pipeline",
    "processes": "pipeline",
    "matrix": "pipeline",
    "times": "pipeline",
    "kit": "pipeline",
    "accepted": "pipeline",
    "captures": "pipeline",
    "comparing": "pipeline",
    "legs": "pipeline",
    "trails": "pipeline",
    "cards": "pipeline",
}
"""Modules that are parts of another one, beside it rather than below it."""

NEVER = {
    ("mapping", "a2a"): "what mapping would want there belongs into the YAML language",
    ("report", "rules"): "a rule's data travels in the finding",
}

ONLY_IN = {
    "jsonpath_ng": {"mapping"},
    "yaml": {"yamltext"},
    "pydantic": {"diff", "mapping", "rules", "topologies", "scenario", "waivers", "cli", "capture"},
    "rich": {"report", "cli"},
    "jinja2": {"report"},
    "duckdb": {"history"},
    "fsspec": {"history"},
    "junitparser": {"report"},
    "sarif_pydantic": {"report"},
    "mitmproxy": {"record"},
    "pytest": {"pytest_plugin"},
    "allure": {"pytest_plugin"},
}

UNLOADED_BY_IMPORT = ("mitmproxy", "pydantic", "pytest", "rich", "duckdb", "asyncio")
UNLOADED_BY_CHECK = (
    "yaml", "pydantic", "jsonpath_ng", "rich", "dataclasses", "inspect", "pytest", "asyncio", "hashlib", "mitmproxy", "duckdb",
    "jinja2", "junitparser", "sarif_pydantic", "xml",
)  # fmt: skip
"""What the hot path never loads. `inspect` and `dataclasses` alone cost more than a small capture."""


class Import(NamedTuple):
    """One import statement of one module."""

    file: str
    line: int
    text: str
    target: str


def imports_of(text: str, file: str = "x.py") -> list[Import]:
    """Every import in the source, those inside functions and `if TYPE_CHECKING` too."""
    lines = text.split("\n")
    found = []
    for node in ast.walk(ast.parse(text, file)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
            if node.module == "harness" or node.level:
                names = [f"{names[0]}.{alias.name}" for alias in node.names]
        else:
            continue
        found += [Import(file, node.lineno, lines[node.lineno - 1].strip(), name) for name in names]
    return found


def unit(dotted: str) -> str:
    """`harness.wire.sse` -> `wire`; the root package itself is ``."""
    name = [*dotted.split("."), ""][1]
    return PARTS.get(name, name)


def complaint(one: Import, home: str) -> str | None:
    """The sentence about a forbidden import inside the package `home`, or None."""
    where = f"{one.file}:{one.line}: `{one.text}`"
    if one.target.startswith("."):
        return f"{where}: relative import; write it as `harness...`, so that its rank can be read."
    top = one.target.split(".")[0]
    if top in ONLY_IN and home not in ONLY_IN[top]:
        return f"{where}: {top} may be imported in {' or '.join(sorted(ONLY_IN[top]))} only, not in {home or 'harness'}."
    if top != "harness":
        return None
    target = unit(one.target)
    if target in (home, "", "__version__", "errors"):
        return None
    if reason := NEVER.get((home, target)):
        return f"{where}: {home} never imports {target}: {reason}."
    if target not in RANKS:
        return f"{where}: harness.{target} has no rank; give it one in tests/test_imports.py and ARCHITECTURE.md."
    if home in RANKS and RANKS[target] >= RANKS[home]:
        return (
            f"{where}: {home} (rank {RANKS[home]}) imports {target} (rank {RANKS[target]}); a module imports "
            "lower ranks or its own package only: move the shared part down, or the caller up."
        )
    return None


def modules() -> list[Path]:
    return sorted((ROOT / "harness").rglob("*.py"))


def home_of(path: Path) -> str:
    """The ranked name that a file belongs to: its folder below harness/, or its stem there."""
    parts = path.relative_to(ROOT / "harness").with_suffix("").parts
    return "" if parts == ("__init__",) else PARTS.get(parts[0], parts[0])


def test_every_module_has_a_rank():
    without = sorted({home_of(path) for path in modules()} - set(RANKS) - {"", "__main__"})
    assert not without, f"no rank for {without}: name them in tests/test_imports.py and in ARCHITECTURE.md"


def test_imports_go_down_only():
    wrong = []
    for path in modules():
        file = str(path.relative_to(ROOT))
        home = "cli" if home_of(path) == "__main__" else home_of(path)
        found = imports_of(path.read_text(encoding="utf-8"), file)
        wrong += [text for one in found if (text := complaint(one, home))]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("home", "line", "why"),
    [
        ("wire", "from harness.capture.store import Writer", "wire (rank 1) imports capture (rank 1)"),
        ("model", "import harness.wire.sse", "model (rank 0) imports wire (rank 1)"),
        ("model", "from harness import judge", "model (rank 0) imports judge (rank 3)"),
        ("mapping", "from harness.a2a import core", "mapping never imports a2a"),
        ("report", "from harness.rules.registry import RULES", "report never imports rules"),
        ("a2a", "from jsonpath_ng import parse", "jsonpath_ng may be imported in mapping only"),
        ("cli", "import pytest", "pytest may be imported in pytest_plugin only"),
        ("wire", "from . import sse", "relative import"),
        ("cli", "from harness.utils import x", "harness.utils has no rank"),
        (
            "judge",
            "def f():\n    from harness.pipeline import check",
            "judge (rank 3) imports pipeline (rank 4)",
        ),
    ],
)
def test_a_planted_violation_is_told(home, line, why):
    told = [complaint(one, home) for one in imports_of(line)]
    assert any(text and why in text for text in told), told


@pytest.mark.parametrize(
    ("home", "line"),
    [
        ("pipeline", "from harness.judge import outcome"),
        ("wire", "from harness.wire.sse import Decoder"),
        ("cli", "from harness import __version__"),
        ("a2a", "import json"),
    ],
)
def test_what_is_allowed_is_not_told(home, line):
    assert [complaint(one, home) for one in imports_of(line)] == [None]


def test_third_party_imports_are_declared():
    """What `harness` imports is a declared dependency, or the wheel would not work elsewhere."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras = project.get("optional-dependencies", {}).values()
    declared = [text for texts in (project["dependencies"], *extras) for text in texts]
    distributions = {re.split("[<>=!~\\[ ]", text)[0].lower().replace("-", "_") for text in declared}
    known = {"yaml": "pyyaml", "pydantic_core": "pydantic", "OpenSSL": "pyopenssl", "allure": "allure_pytest"}
    undeclared = []
    for path in modules():
        for one in imports_of(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))):
            top = one.target.split(".")[0]
            if top in sys.stdlib_module_names or top in ("", "harness", "__future__"):
                continue
            if known.get(top, top).lower() not in distributions:
                undeclared.append(
                    f"{one.file}:{one.line}: `{one.text}`: {top} is not among [project] dependencies."
                )
    assert not undeclared, "\n" + "\n".join(undeclared)


def loaded_after(code: str) -> set[str]:
    """Names of the modules that a fresh interpreter holds after `code`."""
    program = f"{code}\nimport sys; print('LOADED', *sys.modules, file=sys.__stderr__)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split("LOADED")[-1].split())


def test_import_harness_loads_little():
    loaded = loaded_after("import harness")
    assert not loaded.intersection(UNLOADED_BY_IMPORT)


TYPED = {"msgspec", "typing_extensions", "inspect", "uuid"}
"""What the typed decoder of the plain lane brings along; loaded for streams of token chunks only."""


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        (["check", "captures/golden/sit-logs/run-20260812-101500"], set()),
        (["check", "--only", "LEAK,MASK,BIND", "captures/golden/openjiuwen-shape"], set()),
        (["check", "--json", "captures/golden/a2a-sdk-1.3.0/v1_rpc_complete.body"], TYPED),
    ],
    ids=["wire logs", "contract families", "token stream"],
)
def test_check_loads_little(arguments, allowed):
    """The hot path of `check` reaches shipped mappings and contracts without the libraries that read YAML."""
    code = f"from harness.cli.main import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    loaded = loaded_after(code)
    assert "harness.pipeline" in loaded
    assert not loaded.intersection({*UNLOADED_BY_CHECK, "msgspec"} - allowed)
