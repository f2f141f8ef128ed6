# make demo: install into .venv and run the main job on example data.   make test: lint, types, tests.
# make quick: laws, doors and layout in a minute.   make coverage: which lines the tests reach.   make bench: speed beside peers.
# make fuzz SECONDS=60 SEED=1: random and hostile cases.   make oldest: the tests with the oldest versions that are allowed.
# make docs: the site, into build/site/html.   make dist: wheel and sdist.   make extras: each extra by itself.   make matrix
# PYTHONS="python3.12 python3.13": the wheel under other interpreters.   make release-check: all that a release needs.   PYTHON chooses the interpreter for the first install.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed-
SECONDS ?= 60
SEED ?= 1
TYPES := $(BIN)/mypy --config-file tests/mypy.ini  # in one run the package, calls of it as an editor sees them, and the tests
QUICK := $$(grep -v '^\#' tests/quick.txt)
PYTHONS ?= $(PYTHON)
SHARED := -n auto --dist worksteal  # neighbouring tests stay together: they share tables, Spark and browsers

.DEFAULT_GOAL := help
.PHONY: help setup demo quick test lint types coverage fuzz oldest docs bench dist extras matrix release-check clean

help:
	@sed -n '1,5s/^# //p' Makefile

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "rocsteady needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(STAMP)all: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all]'
	@touch $@

$(STAMP)dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(STAMP)all

$(STAMP)docs: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

$(STAMP)release: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	@touch $@

setup: $(STAMP)dev

demo: $(STAMP)all  # its last line says where to look
	$(BIN)/rocsteady demo --force

quick: $(STAMP)dev
	$(BIN)/python -m pytest -n auto $(QUICK)

lint: $(STAMP)dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)dev
	$(TYPES)

test: lint  # types are checked beside the tests; they need one core for most of a minute
	@($(TYPES)) > $(VENV)/types.txt 2>&1 & types=$$!; \
	$(BIN)/python -m pytest $(SHARED); tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types.txt; exit $$((tests + types))

coverage: $(STAMP)dev  # the floor is fail_under in pyproject.toml
	rm -f .coverage .coverage.*
	$(BIN)/python -m coverage run -m pytest $(SHARED); tests=$$?; $(BIN)/python -m coverage combine -q; \
	$(BIN)/python -m coverage report; exit $$((tests + $$?))

fuzz: $(STAMP)dev
	$(BIN)/python -m fuzz --seconds $(SECONDS) --seed $(SEED)

# the numbers of this page are those of scikit-learn 1.9, which changed the covariances of its discriminant analyses
NEWER := --deselect docs/reclassification.md::reclassification.md

oldest: pyproject.toml tools/oldest.py
	$(PYTHON) -m venv --clear $(VENV)-oldest
	$(PYTHON) tools/oldest.py > $(VENV)-oldest/constraints.txt
	$(VENV)-oldest/bin/python -m pip install --quiet --disable-pip-version-check -c $(VENV)-oldest/constraints.txt -e '.[dev]'
	$(VENV)-oldest/bin/python -m pytest $(SHARED) -W default::DeprecationWarning -W default::FutureWarning -W default::pytest.PytestUnraisableExceptionWarning -k "not browser" $(NEWER)

docs: $(STAMP)docs  # the site, offline, with warnings as errors and every link checked
	$(BIN)/python -m tools.site

bench: $(STAMP)dev
	$(BIN)/python -m benchmarks

dist: $(STAMP)release
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

extras: dist
	$(BIN)/python -m tools.extras dist $(VENV)-extras $(EXTRAS)

matrix: dist
	$(BIN)/python -m tools.matrix dist $(VENV)-matrix $(PYTHONS)

release-check: $(STAMP)release
	$(BIN)/python -m tools.release_check $(FLAGS)

clean:
	rm -rf $(VENV) $(VENV)-oldest $(VENV)-extras $(VENV)-matrix dist rocsteady-demo
