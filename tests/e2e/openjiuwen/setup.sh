#!/bin/sh
# Build the environment of the real system, .openjiuwen/venv in the root of the repository: the public package
# openjiuwen with its A2A extra (about 950 MB, one to two minutes). It does nothing when all is there.
#
# PYTHON=/path/to/python3 names the interpreter; else the first Python >= 3.11 and < 3.14 that is found is taken.
set -eu

cd "$(dirname "$0")/../../.."
package='openjiuwen[all-a2a]==0.1.19.post2'
pins=tests/e2e/openjiuwen/constraints.txt
venv=.openjiuwen/venv
stamp=$venv/.setup-stamp

say() { printf 'openjiuwen: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
fits() { "$1" -I -c 'import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1 </dev/null; }

wanted=$( (printf '%s\n' "$package"; cat "$pins") | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ] && fits "$venv/bin/python"; then exit 0; fi

python=
for one in ${PYTHON:-.venv/bin/python python3.13 python3.12 python3.11 python3}; do
    if fits "$one"; then python=$one; break; fi
done
[ -n "$python" ] || die "no Python >= 3.11 and < 3.14 with venv was found; name one: PYTHON=/path/to/python3"

say "installing $package into $venv; this takes one to two minutes"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore
rm -rf "$venv"
"$python" -m venv "$venv" </dev/null || die "could not create $venv; free the space and type the command again"
"$venv/bin/python" -m pip install --quiet -c "$pins" "$package" </dev/null \
    || die "could not install it (pip's reason is above); mend it and type the command again"
printf '%s\n' "$wanted" >"$stamp"
say "done"
