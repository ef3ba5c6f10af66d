# Every target works alone from a clean clone; `setup` costs nothing when .venv is up to date.
PY := .venv/bin/python
SECONDS_EACH ?= 600
GENERATED := mapping.generate rules.generate capture.redaction.generate diff.generate cli.docs

.PHONY: help setup demo test check bench soak docs fuzz e2e-openjiuwen

help: ## list the targets
	@grep -E '^[a-z0-9-]+:.*## ' Makefile | sed -E 's/^([a-z0-9-]+):.*## /\1\t/'

setup: ## build .venv, if it is not up to date
	@sh scripts/setup.sh

demo: setup ## run three topologies live, with the faults that were reported of them
	@.venv/bin/harness demo

test: setup ## run all tests, the slow ones included
	@$(PY) -m pytest -n 2 --dist worksteal $(ARGS)

check: setup ## format, lint, types, freshness of generated files
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	@for one in $(GENERATED); do $(PY) -m harness.$$one --check || exit 1; done

bench: setup ## measure speed and memory against their bars
	@$(PY) -m bench $(ARGS)

docs: setup ## write the generated files anew
	@for one in $(GENERATED); do $(PY) -m harness.$$one || exit 1; done

fuzz: setup ## run each fuzz target for SECONDS_EACH seconds, with a new seed
	@for target in tests/fuzz/fuzz_*.py; do \
	    $(PY) -m tests.fuzz.$$(basename $$target .py) --seconds $(SECONDS_EACH) || exit 1; done

soak: fuzz ## the fuzz targets, every defect in all its ways, all tests with many more generated cases
	@$(PY) -m tests.soak && $(PY) -m pytest -n 2 --dist worksteal --hypothesis-profile soak $(ARGS)

e2e-openjiuwen: setup ## try the real openjiuwen package, about 900 MB, in an environment of its own
	@sh tests/e2e/openjiuwen/run.sh $(ARGS)
