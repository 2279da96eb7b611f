# `make run` and `make test` need python3 (3.11 or newer) and make; setup.sh says so when something is missing.
.DEFAULT_GOAL := help
.PHONY: help setup run check test format bench clean

BIN := .venv/bin
OLD := 4.13.4
say = @printf '==> %s\n'

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## make the environment .venv, if it is missing or out of date
	@sh ./setup.sh

run: setup ## hunt for two minutes, on the newest Spacer and on an old release that is known to be wrong
	$(say) "Installing an old release of Spacer (hornblower solvers install spacer@$(OLD))"
	@$(BIN)/hornblower solvers install spacer@$(OLD)
	$(say) "Hunting for two minutes (hornblower run --for 2m --solver spacer --solver spacer@$(OLD) --state state/demo)"
	@$(BIN)/hornblower run --for 2m --solver spacer --solver spacer@$(OLD) --state state/demo || test $$? -eq 3
	$(say) "The worst that is known by now (hornblower findings show --state state/demo)"
	@$(BIN)/hornblower findings show --state state/demo

check: setup ## check the embedded instances with the newest Spacer and print a table
	$(say) "Checking the embedded instances (hornblower check --embedded)"
	@$(BIN)/hornblower check --embedded

test: setup ## check format, style and types, then run all tests
	$(say) "Checking the format (ruff format --check; make format repairs it)"
	@$(BIN)/ruff format --check .
	$(say) "Checking the style (ruff check)"
	@$(BIN)/ruff check .
	$(say) "Checking the types (mypy)"
	@$(BIN)/mypy
	$(say) "Running the tests (pytest)"
	@$(BIN)/pytest -q --numprocesses auto --dist worksteal

format: setup ## format the sources and repair what ruff can repair
	$(say) "Formatting (ruff check --fix, ruff format)"
	@$(BIN)/ruff check --fix --exit-zero --quiet .
	@$(BIN)/ruff format .

bench: setup ## measure (python -m benchmarks)
	$(say) "Running the benchmarks"
	@$(BIN)/python -m benchmarks

clean: ## remove the environment, caches and build products; never what a campaign has found
	$(say) "Removing .venv, caches and build products"
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist hornblower.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
