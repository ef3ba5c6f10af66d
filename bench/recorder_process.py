"""A recorder to measure: `python -m bench.recorder_process UPSTREAM FOLDER on|off`, until stdin ends."""

from __future__ import annotations

import json
import sys

from harness.record import Leg, Recorder, Settings


def main() -> None:
    """Record one leg; print its address; when standard input ends, stop and print what is missing."""
    upstream, folder, redaction = sys.argv[1:]
    legs = (Leg("client", upstream, ("127.0.0.1", 0)),)
    with Recorder(Settings(legs=legs, run_dir=folder, redact=redaction == "on")) as recorder:
        print(json.dumps({"url": recorder.addresses["client"]}), flush=True)
        sys.stdin.read()
    print(json.dumps(recorder.summary.incomplete), flush=True)


if __name__ == "__main__":
    main()
