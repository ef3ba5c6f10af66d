#!/bin/sh
# Bring the browser of tests/e2e/test_html_browser.py: Chromium, from the machine's own package manager.
#
# A chromium on PATH is used as it is. Else it is installed with apt-get, which needs root or sudo without a
# password. Running it again does nothing when it is there.
set -eu

say() { printf 'setup-browser: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

if command -v chromium >/dev/null 2>&1; then exit 0; fi
command -v apt-get >/dev/null 2>&1 \
    || die "there is no chromium and no apt-get; install Chromium as 'chromium' on PATH and type the command again"
sudo=
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || die "apt-get needs root; type: sudo sh scripts/setup-browser.sh"
    sudo="sudo -n"
fi
say "installing chromium"
install() { DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends chromium </dev/null >/dev/null; }
install 2>/dev/null || { $sudo apt-get update -qq </dev/null && install; } \
    || die "apt-get could not install chromium (its reason is above); mend it and type the command again"
command -v chromium >/dev/null 2>&1 || die "the installed package has no command 'chromium'"
