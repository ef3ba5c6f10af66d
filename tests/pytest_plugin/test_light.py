"""The plugin is loaded in every pytest run of its environment: it must cost next to nothing there."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "pydantic", "yaml", "mitmproxy", "starlette", "uvicorn", "httpx", "asyncio", "rich", "duckdb", "msgspec", "allure",
    "harness.pipeline", "harness.record", "harness.live", "harness.testbed", "harness.rules",
)  # fmt: skip


def test_loading_it_loads_nothing_heavy():
    code = (
        "import sys, pytest; before = set(sys.modules); import harness.pytest_plugin; "
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not [name for name in loaded if name in HEAVY or name.startswith("harness.rules")]
    ours = {name for name in loaded if name.startswith("harness")}
    assert ours == {
        "harness", "harness.errors", "harness.pytest_plugin", "harness.pytest_plugin.fixtures",
        "harness.pytest_plugin.options", "harness.pytest_plugin.session",
    }  # fmt: skip


def test_a_run_without_scenarios_loads_nothing_either(tmp_path):
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it():\n    assert 'harness.pipeline' not in sys.modules and 'pydantic' not in sys.modules\n"
    )
    arguments = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "harness.pytest_plugin",
        "-p",
        "no:cacheprovider",
        ".",
    ]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "harness" not in done.stdout


def test_it_is_registered_once_whoever_names_it(tmp_path):
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["harness.pytest_plugin"]\n')
    (tmp_path / "test_it.py").write_text(
        "def test_it(pytestconfig):\n"
        "    plugins = [one for one in pytestconfig.pluginmanager.get_plugins()\n"
        "        if getattr(one, '__name__', '') == 'harness.pytest_plugin']\n"
        "    assert len(plugins) == 1\n"
    )
    arguments = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
