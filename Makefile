# Only Python (3.11 or newer) and make are needed beforehand. PYTHON chooses another interpreter, PORT another port.
PYTHON ?= python3
VENV_PYTHON := .venv/bin/python
INSTALL := $(PYTHON) -I memoryapp/embedded/install.py
# A throw-away database for commands that need one.
WITH_DATABASE := $(VENV_PYTHON) -m memoryapp.embedded.temporary

.PHONY: run test faults lint format bench eval messages server dev

run: server
	@$(VENV_PYTHON) -m memoryapp.embedded --follow-parent

test: dev
	$(VENV_PYTHON) -m pytest -n 2 --dist loadgroup -q --ignore=tests/faults

# Real processes, brokers, disks and clocks are broken on purpose; it mostly waits for what heals by itself.
faults: dev
	$(VENV_PYTHON) -m pytest -n 2 --dist loadgroup -q tests/faults

lint: dev
	$(VENV_PYTHON) -m ruff check
	$(VENV_PYTHON) -m ruff format --check
	$(VENV_PYTHON) -m djlint --lint --quiet templates
	.venv/bin/lint-imports
	$(WITH_DATABASE) $(VENV_PYTHON) -m mypy
	$(WITH_DATABASE) $(VENV_PYTHON) manage.py makemigrations --check --dry-run

format: dev
	$(VENV_PYTHON) -m ruff check --fix
	$(VENV_PYTHON) -m ruff format
	$(VENV_PYTHON) -m djlint --reformat --quiet templates

# Writing is measured with fsync on, as `make run` has it.
bench: dev
	$(WITH_DATABASE) --durable $(VENV_PYTHON) -m tests.bench
	$(WITH_DATABASE) --durable $(VENV_PYTHON) -m tests.bench.household

eval: dev
	$(WITH_DATABASE) $(VENV_PYTHON) -m tests.eval

# For translators; needs GNU gettext. The compiled files are committed, so nobody else needs it.
messages: dev
	$(WITH_DATABASE) $(VENV_PYTHON) manage.py makemessages --all --no-location --ignore=.venv
	$(WITH_DATABASE) $(VENV_PYTHON) manage.py compilemessages --ignore=.venv

server:
	@$(INSTALL) server

dev:
	@$(INSTALL) server otel dev
