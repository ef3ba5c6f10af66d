# Every target works alone from a clean clone; `setup` costs nothing when .venv is up to date.
PY := .venv/bin/python
SECONDS_EACH ?= 600

.PHONY: help setup demo test check bench soak docs fuzz

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/^([a-z]+):.*## /\1\t/'

setup: ## build .venv, if it is not up to date
	@sh scripts/setup.sh

demo: setup ## check the committed captures of three topologies
	@.venv/bin/harness demo

test: setup ## run all tests, the slow ones included
	@$(PY) -m pytest -n 2 --dist worksteal $(ARGS)

check: setup ## format, lint, types, freshness of generated files
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m harness.mapping.generate --check
	$(PY) -m harness.rules.generate --check
	$(PY) -m harness.capture.redaction.generate --check
	$(PY) -m harness.cli.docs --check

bench: setup ## measure speed and memory against their bars
	@$(PY) -m bench $(ARGS)

docs: setup ## write the generated files anew
	@for one in mapping.generate rules.generate capture.redaction.generate cli.docs; do \
	    $(PY) -m harness.$$one || exit 1; done

fuzz: setup ## run each fuzz target for SECONDS_EACH seconds, with a new seed
	@for target in tests/fuzz/fuzz_*.py; do \
	    $(PY) -m tests.fuzz.$$(basename $$target .py) --seconds $(SECONDS_EACH) || exit 1; done

soak: fuzz ## the fuzz targets, then all tests with many more generated cases
	@$(PY) -m pytest -n 2 --dist worksteal --hypothesis-profile soak $(ARGS)
