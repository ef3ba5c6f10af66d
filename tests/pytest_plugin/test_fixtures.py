"""The fixtures of hand-written tests."""

from __future__ import annotations

import pytest

from tests.pytest_plugin.conftest import PLUGIN
from tests.pytest_plugin.material import ASKS, GREEN, LEAK, capture

pytest_plugins = ["pytester"]


@pytest.fixture
def hand(pytester):
    """Runs a test file in this process."""

    def go(text: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess(*PLUGIN, *arguments)

    return go


def test_a_capture_is_read(folder, hand):
    capture(folder / "run", frames=ASKS)
    hand(
        """
        def test_it(capture):
            one = capture("run/DA-1-A2A_STREAM-r1.client.sse")
            assert [event.kind for event in one.events][:2] == ["task", "status"]
            assert [each.exposure for each in one.interactions] == ["masked"]
            assert "Which hotel?" in one.text
            assert [each.source for each in capture("run")] == [one.source]
        """
    ).assert_outcomes(passed=1)


def test_a_round_is_judged(folder, hand):
    capture(folder / "run", frames=ASKS)
    hand(
        """
        def test_it(verdict):
            one = verdict("run/DA-1-A2A_STREAM-r1.client.sse")
            assert one.outcome == "INTERACTION"
            assert one.asked == ("masked delegation of hotel-agent on the control channel",)
            assert one.rules == ()
            assert repr(one) == (
                "<Verdict DA-1 r1; INTERACTION; masked delegation of hotel-agent on the control channel; "
                "run/DA-1-A2A_STREAM-r1.client.sse>"
            )
        """
    ).assert_outcomes(passed=1)


def test_a_folder_is_judged(folder, hand):
    capture(folder / "run", "DA-1", LEAK)
    capture(folder / "run", "DA-2", GREEN)
    hand(
        """
        import pytest
        def test_it(verdict):
            run = verdict("run", contract="masked")
            assert run.exit == 1
            assert run.rules == ("LEAK101",)
            assert run.of("DA-2").outcome == "COMPLETED"
            assert repr(run) == "<RunVerdict exit 1; 2 rounds; LEAK101 x1>"
            with pytest.raises(LookupError, match="there are DA-1 r1, DA-2 r1"):
                run.of("DA-3")
            assert verdict("run", contract="a2a").exit == 0
            assert verdict("run", skip=("LEAK",)).exit == 0
        """
    ).assert_outcomes(passed=1)


def test_a_contract_that_is_broken_fails_with_the_report(folder, hand):
    capture(folder / "run", "DA-1", LEAK)
    capture(folder / "run", "DA-2", GREEN)
    result = hand(
        """
        def test_green(assert_contract):
            assert_contract("run/DA-2-A2A_STREAM-r1.client.sse")
            assert_contract("run", contract="a2a")
        def test_red(assert_contract):
            assert_contract("run")
        """
    )
    result.assert_outcomes(passed=1, failed=1)
    text = result.stdout.str()
    assert "LEAK101 delegation-on-content-channel" in text
    assert "harness inspect run/DA-1-A2A_STREAM-r1.client.sse frame 3" in text
    assert "pytest_plugin/fixtures.py" not in text


def test_what_can_not_be_decided_does_not_hold(folder, hand):
    capture(folder / "run", frames=('{"hello": 1}',))
    result = hand("def test_red(assert_contract):\n    assert_contract('run')\n")
    result.assert_outcomes(failed=1)
    assert "could not be decided: rounds 1" in result.stdout.str()


def test_a_recorder_and_a_testbed_of_one_s_own(folder, pytester):
    """A conversation with a reference agent through a recorder, sent with plain HTTP, judged."""
    pytester.makepyfile(
        """
        import httpx

        ASK = {
            "jsonrpc": "2.0", "id": "1", "method": "SendStreamingMessage",
            "params": {"message": {"messageId": "m-1", "role": "ROLE_USER", "contextId": "c-1",
                                   "parts": [{"text": "Book a trip"}]}},
        }

        def test_it(recorder, testbed, verdict):
            bed = testbed("react-review", plans={"c-1": {"script": "ask"}})
            with recorder(client=bed.addresses["react-review"]) as recording:
                url = recording.addresses["client"] + "/a2a"
                answer = httpx.post(url, json=ASK, headers={"A2A-Version": "1.0"}, trust_env=False, timeout=30)
                assert answer.status_code == 200
            run = verdict(recording.run_dir, contract="a2a")
            assert run.outcome == "INTERACTION"

        def test_an_unknown_topology(testbed):
            import pytest
            with pytest.raises(Exception, match="no topology is called 'nowhere'; known are deep-research"):
                testbed("nowhere")
        """
    )
    pytester.runpytest_subprocess(*PLUGIN).assert_outcomes(passed=2)


def test_the_recorder_s_folder_is_that_of_captures(folder, pytester):
    pytester.makepyfile(
        """
        def test_it(recorder):
            with recorder(client="http://127.0.0.1:9") as recording:
                assert recording.addresses["client"].startswith("http://127.0.0.1:")
        """
    )
    pytester.runpytest_subprocess(*PLUGIN, "--captures", "kept").assert_outcomes(passed=1)
    assert [path.name.startswith("run-") for path in (folder / "kept").iterdir()] == [True]
