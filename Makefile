# Tallyroom's tasks. `make` alone lists them; each installs what it needs first.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup night test test-night bench docs lint format clean

PYTHON ?= $(firstword $(shell command -v python3.11 python3.12 python3.13 python3) python3)
UV_VERSION := 0.13.9
UV := UV_PYTHON_DOWNLOADS=never .uv/bin/uv
SYNC := $(UV) sync --frozen --quiet --python $(PYTHON)
WORKERS ?= 2
CONTEST ?=
NIGHT_SECONDS ?= 1100
# Ports are for type checkers alone and never run.
COVERED := plan award checks importer ledger vault intake tabulate report
COVERED_AT_LEAST ?= 98
space := $(subst ,, )
comma := ,
NEEDS_NETWORK = { echo "make: the packages that Tallyroom needs could not be installed (see above): the first set-up needs Python 3.11 or later with venv and a way to the Python package index; try again with a network." >&2; exit 2; }

help: ## list the tasks
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

setup: .venv/.ready-dev ## install everything for development, as locked
	@:

night: .venv/.ready-run ## replay the recorded night and hold it to what was published
	@.venv/bin/tallyroom night $(CONTEST)

test: lint ## lint, then all tests but the long runs, with coverage
	@rm -f .coverage .coverage.*
	@COVERAGE_PROCESS_START=$(CURDIR)/pyproject.toml .venv/bin/python -m pytest -n $(WORKERS) -m "not night"
	@.venv/bin/coverage combine --quiet
	@.venv/bin/coverage report --include="$(subst $(space),$(comma),$(foreach part,$(COVERED),src/tallyroom/$(part)/*))" --omit="*/port.py" --fail-under=$(COVERED_AT_LEAST)

test-night: setup ## the long runs, bounded
	@timeout $(NIGHT_SECONDS) .venv/bin/python -m pytest -n $(WORKERS) -m night

bench: setup ## measure against the goals; writes var/bench.json
	@.venv/bin/python bench/run.py

docs: setup ## build the documentation; every warning is an error
	@.venv/bin/sphinx-build -n -W --keep-going -q docs docs/_build/html && echo "docs/_build/html/index.html"

lint: setup ## style, format, types, layers
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/basedpyright
	@.venv/bin/lint-imports

format: setup ## put the code into the house's form
	@.venv/bin/ruff format && .venv/bin/ruff check --fix

clean: ## remove everything that was made here
	@rm -rf .venv .uv var dist docs/_build docs/reference/generated .coverage* .hypothesis .pytest_cache .ruff_cache .import_linter_cache

.uv/bin/uv:
	@echo "make: installing uv $(UV_VERSION) into .uv"
	@$(PYTHON) -m venv .uv && .uv/bin/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION) || { rm -rf .uv; $(NEEDS_NETWORK); }

.venv/.ready-run: pyproject.toml uv.lock | .uv/bin/uv
	@echo "make: installing what Tallyroom runs on into .venv"
	@$(SYNC) --no-dev --inexact || $(NEEDS_NETWORK)
	@touch $@

.venv/.ready-dev: pyproject.toml uv.lock | .uv/bin/uv
	@echo "make: installing Tallyroom and its tools into .venv"
	@$(SYNC) --group dev || $(NEEDS_NETWORK)
	@touch $@ .venv/.ready-run
