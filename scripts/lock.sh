#!/bin/sh
# Write requirements.lock anew: the newest versions that pyproject.toml allows, pinned, without hashes or addresses.
#
# Run it with the oldest supported Python, whose set of packages is the widest: PYTHON=python3.12 sh scripts/lock.sh
# It takes what [project] dependencies, [dependency-groups] dev and [build-system] requires name. Then run
# `make setup test`, with PYTHON=python3.12 and with python3.13, before the file is committed.
set -eu

cd "$(dirname "$0")/.."
python=${PYTHON:-python3.12}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

"$python" -m venv "$work/venv"
"$work/venv/bin/python" -c '
import tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)
names = project["project"]["dependencies"] + project["dependency-groups"]["dev"] + project["build-system"]["requires"]
for extra in project["project"].get("optional-dependencies", {}).values():
    names += extra
print("\n".join(names))
' >"$work/wanted"
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$work/wanted"
{
    echo "# Written by scripts/lock.sh; edit pyproject.toml and run it again."
    "$work/venv/bin/python" -m pip freeze --disable-pip-version-check | grep -E '^[A-Za-z0-9._-]+==[^ ]+$'
} >"$work/lock"
mv "$work/lock" requirements.lock
