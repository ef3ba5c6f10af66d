"""The options are looked at before anything is collected: a mistake is one line, not one an item."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.errors import HarnessError, UsageError
from harness.pytest_plugin.options import TESTBED, usage

if TYPE_CHECKING:
    from harness.pytest_plugin.options import Choices


CI = ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "BUILD_NUMBER", "JENKINS_URL", "TF_BUILD", "TEAMCITY_VERSION")
"""Variables by which CI servers are known; Jenkins does not set CI."""


def check(choices: Choices) -> None:
    """Raise `pytest.UsageError` for what can not be, or does not go together."""
    try:
        _together(choices)
        _readable(choices)
    except HarnessError as error:
        from harness.report.cells import harmless

        raise usage(f"harness: {harmless(str(error))}") from None


def _together(choices: Choices) -> None:
    named = choices.set is not None or bool(choices.defect)
    if choices.run is not None and choices.sut is not None:
        raise UsageError("--run and --sut together", mend="judge a run, or drive a system")
    if choices.run is not None and not os.path.exists(choices.run):
        raise UsageError(
            f"--run {choices.run}: there is no such folder", mend="name a run folder or a capture"
        )
    if named and choices.sut not in (None, TESTBED):
        raise UsageError(
            f"--set or --defect with --sut {choices.sut}", mend="only the testbed does as it is told"
        )
    named_ci = next((one for one in CI if os.environ.get(one, "").lower() not in ("", "0", "false")), None)
    if choices.update_golden and named_ci is not None:
        raise UsageError(
            f"--update-golden where {named_ci} is set", mend="look at the changes yourself, and commit them"
        )
    if choices.update_golden and choices.run is None and choices.sut is None and named:
        raise UsageError("--update-golden with defects", mend="a golden run is one as it should be")


def _readable(choices: Choices) -> None:
    """Files and names that would be found wrong for each scenario."""
    if choices.set is not None or choices.defect:
        from harness.live.defects import FIXED, asked

        asked(choices.defect, choices.set or FIXED)
    if choices.contract is not None:
        from harness.rules import contracts

        contracts.load(choices.contract)
    if choices.topologies is not None:
        from harness import topologies

        topologies.load(choices.topologies)
    if choices.waivers is not None:
        from harness import waivers

        waivers.load(choices.waivers)
    if choices.sut not in (None, TESTBED):
        from harness.scenario import sut

        sut.load(choices.sut or "", os.environ)
