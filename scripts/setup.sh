#!/bin/sh
# Build .venv in the root of the repository, or do nothing when it is up to date.
#
# The stamp file .venv/.setup-stamp is written last. It is keyed on this script, requirements.lock,
# pyproject.toml and the folder's own path; the interpreter must still be there and be the one that
# built it. An interrupted run leaves no stamp, so that the next run starts again from nothing.
# PYTHON=/path/to/python3 names the interpreter and switches the search off.
set -eu

cd "$(dirname "$0")/.."
root=$(pwd -P)
stamp=.venv/.setup-stamp

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# Prints "ok VERSION PATH", "bare VERSION PATH" (no ensurepip) or "old VERSION PATH"; silent if it does not run.
probe() {
    "$1" -I -c '
import sys
version = "%d.%d.%d" % sys.version_info[:3]
path = getattr(sys, "_base_executable", None) or sys.executable
if sys.version_info < (3, 12) or sys.implementation.name != "cpython":
    word = "old"
else:
    try:
        import ensurepip, venv
        word = "ok"
    except ImportError:
        word = "bare"
print(word + " " + version + " " + path)
' 2>/dev/null </dev/null || true
}

version_roots() {
    printf '%s\n' "${PYENV_ROOT:-${HOME:-}/.pyenv}/versions" \
        "${UV_PYTHON_INSTALL_DIR:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/uv/python}"
    for command in python3 pyenv; do
        found=$(command -v "$command" 2>/dev/null) || continue
        case $found in */shims/*|*/bin/pyenv) printf '%s\n' "$(dirname "$(dirname "$found")")/versions" ;; esac
    done
}

candidates() {
    printf '%s\n' python3 python3.13 python3.12 python3.14 python3.15 python3.16 python
    version_roots | while IFS= read -r folder; do
        for minor in 13 12 14 15 16; do
            for path in "$folder"/3."$minor"* "$folder"/cpython-3."$minor"*; do
                case $path in *t|*dev|*freethreaded*) continue ;; esac
                if [ -x "$path/bin/python3" ]; then printf '%s\n' "$path/bin/python3"; fi
            done
        done
    done
    if command -v uv >/dev/null 2>&1; then uv python find --system --offline '>=3.12' 2>/dev/null </dev/null || true; fi
}

# Prints the first "ok" answer, else the best reason why there is none.
find_python() {
    list=$(candidates)
    reason=
    while IFS= read -r candidate; do
        answer=$(probe "$candidate")
        case $answer in
            ok\ *) printf '%s\n' "$answer"; return ;;
            bare\ *) case $reason in bare*) ;; *) reason=$answer ;; esac ;;
            old\ *) reason=${reason:-$answer} ;;
        esac
    done <<LIST
$list
LIST
    printf '%s\n' "$reason"
}

refuse() {
    rest=${1#* }; version=${rest%% *}; path=${rest#* }
    case $1 in
        bare\ *) die "$path ($version) has no ensurepip; install its venv package (Debian: apt-get install python3-venv), then type the command again" ;;
        old\ *) die "found only Python $version ($path); install Python 3.12 or newer (for example: pyenv install 3.13, or uv python install 3.13)" ;;
        *) die "no Python found; install Python 3.12 or newer (Debian: apt-get install python3 python3-venv)" ;;
    esac
}

key() {
    printf '%s\n' "$root"
    cat scripts/setup.sh requirements.lock pyproject.toml
}

running() { .venv/bin/python -I -S -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null </dev/null || true; }

if [ -n "${PYTHON:-}" ]; then
    answer=$(probe "$PYTHON")
    [ -n "$answer" ] || die "PYTHON=$PYTHON does not run; name a Python 3.12 or newer, or leave PYTHON out"
    asked=${answer#* }; asked=${asked%% *}
else
    answer='' asked=''
fi

wanted=$(key | cksum)
if [ -f "$stamp" ] && version=$(running) && [ -n "$version" ] && [ "$(cat "$stamp")" = "$wanted $version" ]; then
    if [ "${asked:-$version}" = "$version" ]; then exit 0; fi
fi

answer=${answer:-$(find_python)}
case $answer in ok\ *) ;; *) refuse "$answer" ;; esac
rest=${answer#* }; version=${rest%% *}; python=${rest#* }

say "building .venv with Python $version ($python); the first time takes about half a minute"
unset VIRTUAL_ENV PYTHONHOME PYTHONPATH PIP_TARGET PIP_PREFIX PIP_USER PIP_REQUIRE_VIRTUALENV
if [ -z "${HOME:-}" ]; then export PIP_NO_CACHE_DIR=1; fi
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_ROOT_USER_ACTION=ignore
rm -f "$stamp"
rm -rf .venv
"$python" -m venv .venv </dev/null || die "could not create .venv with $python; free the space or name another interpreter: PYTHON=/path/to/python3 make setup"
.venv/bin/python -m pip install --quiet -r requirements.lock </dev/null \
    || die "could not install requirements.lock (pip's reason is above); mend it and type the command again"
.venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable . </dev/null \
    || die "could not install the project itself (pip's reason is above); mend it and type the command again"
# An editable install copies the wheel's package data; this tree is read in place, so the copy would only go stale.
rm -rf .venv/lib/python3*/site-packages/harness
.venv/bin/python -m compileall -q harness </dev/null || die "could not compile harness/ (the reason is above)"
printf '%s\n' "$wanted $version" >"$stamp.new"
mv "$stamp.new" "$stamp"
say "done: .venv/bin/harness"
