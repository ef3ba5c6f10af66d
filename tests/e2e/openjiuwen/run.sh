#!/bin/sh
# Try the harness on a real system of the openJiuwen family: install it, run all scenarios, check what comes out,
# and write docs/real-systems.md. `--keep` also refreshes captures/golden/openjiuwen-live.
set -eu
cd "$(dirname "$0")/../../.."
sh tests/e2e/openjiuwen/setup.sh
exec .venv/bin/python -m tests.e2e.openjiuwen.run "$@"
