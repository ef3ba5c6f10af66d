#!/bin/sh
# What a CI job does with the harness, step by step, in the current folder:
#
#     sh pipeline.sh install WHEEL    # an environment of its own; SITE: where the dependencies are already
#     sh pipeline.sh init URL         # a project for the agent at URL
#     sh pipeline.sh job              # drive, record, judge, report; ALLURE: the command that builds the site
#
# `job` prints `pytest=CODE check=CODE` and ends with the worse of both.
set -eu

python=$PWD/venv/bin/python

install() {
    "${PYTHON:-python3}" -m venv --without-pip venv
    "${PYTHON:-python3}" -m pip --python "$python" install --quiet --disable-pip-version-check ${SITE:+--no-index --no-deps} "$1"
    if [ -n "${SITE:-}" ]; then
        echo "$SITE" >"$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/dependencies.pth"
    fi
}

init() {
    venv/bin/harness init --entry "$1" --name pilot --ci github
}

job() {
    mkdir -p reports
    driven=0
    "$python" -m pytest scenarios --junitxml=reports/pytest.xml --alluredir=reports/allure-results --clean-alluredir \
        || driven=$?
    checked=0
    venv/bin/harness check --scenario scenarios --github -o reports/harness.json -o reports/harness.xml \
        -o reports/harness.sarif -o reports/harness.md -o reports/harness.html -o gitlab=reports/codequality.json \
        || checked=$?
    if [ -n "${ALLURE:-}" ]; then "$ALLURE" generate reports/allure-results --output reports/allure; fi
    echo "pytest=$driven check=$checked"
    [ "$driven" -eq 0 ] || exit "$driven"
    exit "$checked"
}

step=$1
shift
"$step" "$@"
