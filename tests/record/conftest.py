"""Real sockets for the recorder: an upstream that does as it is told, and a client without manners."""

from __future__ import annotations

import threading

import pytest

from harness.record import Leg, Recorder, Settings
from tests.record.peers import Upstream


@pytest.fixture(autouse=True)
def _no_threads_left():
    before = set(threading.enumerate())
    yield
    left = [one for one in threading.enumerate() if one not in before and one.is_alive()]
    for one in left:
        one.join(5)
    assert not [one for one in left if one.is_alive()], "a thread outlived the test"


@pytest.fixture
def upstream():
    with Upstream() as one:
        yield one


@pytest.fixture
def record(tmp_path, upstream):
    """A recorder of the client's leg in front of `upstream`; further settings by name."""

    def made(**more):
        legs = more.pop("legs", (Leg("client", upstream.url, ("127.0.0.1", 0)),))
        return Recorder(Settings(legs=legs, run_dir=str(tmp_path / "run"), **more))

    return made
