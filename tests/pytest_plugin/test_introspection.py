"""An `assert` about an outcome or about interactions explains itself."""

from __future__ import annotations

from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import ASKS, capture

pytest_plugins = ["pytester"]

PATH = "run/DA-1-A2A_STREAM-r1.client.sse"


def failing(folder, pytester, statement):
    capture(folder / "run", frames=ASKS)
    pytester.makepyfile(f"def test_it(verdict):\n    one = verdict({PATH!r})\n    {statement}\n")
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    return result.stdout


def test_of_an_outcome(folder, pytester):
    failing(folder, pytester, "assert one.outcome == 'COMPLETED'").fnmatch_lines(
        [
            "E*the round ended INTERACTION, not COMPLETED*",
            "E*it asks: masked delegation of hotel-agent on the control channel",
            f"E*ending unknown, 3 events: {PATH}",
            f"E*look: harness inspect {PATH}",
        ]
    )


def test_of_interactions(folder, pytester):
    failing(folder, pytester, "assert one.interactions == ()").fnmatch_lines(
        [
            "E*the round asks for something else*",
            "E*+ masked delegation of hotel-agent on the control channel",
        ]
    )


def test_of_anything_else_as_usual(folder, pytester):
    failing(folder, pytester, "assert one.rules == ('LEAK101',)").fnmatch_lines(
        ["E*assert () == ('LEAK101',)*"]
    )
