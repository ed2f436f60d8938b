# Every target first makes the environment that it needs, once: a machine with Python 3.11+ and make is enough.

PYTHON ?= python3
JOBS ?= auto

BIN := .venv/bin
READY := .venv/ready
ROBOTS := .robots/ready

# Threads inside linear algebra would compete with the parallel tests, and change the last bits of results.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format verify robots bench docs lock clean

help:
	@echo "make setup    the development environment in .venv, and nothing else"
	@echo "make demo     the library at work: summaries, and figures in output/"
	@echo "make test     the whole suite, in parallel"
	@echo "make lint     formatting, lint and types"
	@echo "make verify   long ensembles, real robots, comparisons with peers"
	@echo "make bench    benchmarks against peers, as ratios"
	@echo "make docs     the documentation, in docs/_build/html"
	@echo "make format   rewrite the code as ruff formats it"
	@echo "make lock     choose the versions in requirements/dev.txt anew"
	@echo "make clean    remove the environment, the robot files and all that was built"
	@echo
	@echo "PYTHON=$(PYTHON) chooses the interpreter, JOBS=$(JOBS) the number of parallel tests."

setup: $(READY)

demo: $(READY)
	$(BIN)/python examples/swinging_chain.py output/swinging_chain.png
	$(BIN)/python examples/painleve_rod.py output/painleve_rod.png
	$(BIN)/python examples/colliding_pendulum.py output/colliding_pendulum.png

test: $(READY)
	$(BIN)/pytest -n $(JOBS) -rfEs

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

verify: $(READY) robots
	$(BIN)/pytest -n $(JOBS) -rfEs -m verify

robots: $(ROBOTS)

bench: $(READY)
	@set -e; for script in benchmarks/[!_]*.py; do echo "$(BIN)/python $$script"; $(BIN)/python "$$script"; done

docs: $(READY)
	$(BIN)/sphinx-build --fail-on-warning --keep-going -b html docs docs/_build/html
	@echo "The documentation is in docs/_build/html/index.html"

# The file that this writes names versions and hashes, never the place that they were found at.
lock: $(READY)
	$(BIN)/pip install --quiet uv
	$(BIN)/uv --no-config pip compile pyproject.toml --group dev --all-extras --output-file requirements/dev.txt \
		--universal --python-version 3.11 --fork-strategy fewest --generate-hashes --upgrade \
		--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" --quiet

clean:
	rm -rf .venv .robots output docs/_build docs/gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis

# pip arrives last when an environment is made: where it is present, the environment is whole.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit( \
		f"stickslip needs Python 3.11 or newer, but $(PYTHON) is {v[0]}.{v[1]}. Choose another: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv

# Python writes bytecode of what it imports; writing all of it here would take longer than the installation.
$(READY): requirements/dev.txt pyproject.toml | $(BIN)/pip
	$(BIN)/pip install --quiet --no-compile --no-deps --require-hashes --requirement requirements/dev.txt
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

$(ROBOTS): tests/ensemble/fetch_robots.py requirements/robots.txt | $(READY)
	$(BIN)/python tests/ensemble/fetch_robots.py $(@D)
	@touch $@
