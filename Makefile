# One word for each thing a contributor does.
.PHONY: check test test-slow test-peer test-gpu test-hostile test-cluster test-browser soak screenshots docs wheels bench coverage mutants format sanitize

check:  ## everything that CI runs
	bash .ci/run

test:
	uv run pytest

test-slow:  ## tests that take minutes
	uv run --group peers --group browser pytest -n0 -m slow
	uv run --group peers pytest -m hypothesis --hypothesis-profile many

test-peer:  ## comparisons with other packages
	uv run --group peers pytest -m "peer and not slow"

test-gpu:  ## what needs a graphics card, and the tests of spots on it
	uv run pytest -m gpu -n0 tests/gpu
	RIVERBOAT_TEST_DEVICE=gpu uv run pytest -n0 tests/spots/test_engine.py tests/spots/test_solve.py tests/spots/test_gadget.py tests/spots/test_small_games.py tests/spots/test_solution.py tests/spots/test_solve_runs.py

test-hostile:  ## attacks on all that reads or listens; docs/security.md gets the table
	RIVERBOAT_FUZZ_INPUTS=$${RIVERBOAT_FUZZ_INPUTS:-100000} RIVERBOAT_HOSTILE_RESULTS=tests/hostile/results.jsonl uv run --group browser pytest -m hostile tests/hostile
	scripts/hostile_table

test-cluster:  ## Ray with two nodes on this machine, and processes that are killed
	uv run --group cluster pytest -n0 -m "cluster and not slow" tests/cluster

test-browser:  ## the pages and their API, in the system's Chromium
	scripts/browser_tools
	uv run --group browser pytest -m browser

soak:  ## an hour of 300 people at one server, and an hour of a server that is killed
	uv run --group browser python bench/web.py --rate 300 --seconds 3600
	RIVERBOAT_SOAK_SECONDS=3600 uv run --group browser pytest -s -n0 -m slow tests/web/test_soak.py -k again_and_again

screenshots:  ## pictures of all pages in build/screenshots; with DOCS=1 those of docs/web.md
	uv run --group browser python -m tests.browser.screenshots $(if $(DOCS),DOCS)

docs:  ## the pages and the API reference as a site, in build/docs; a warning is an error
	uv run --group docs sphinx-build --fail-on-warning --keep-going --quiet docs build/docs

wheels:  ## for other people's machines, in dist
	scripts/wheels
	scripts/check_wheel dist

bench:  ## figures, side by side with other packages
	uv run --group peers python bench/cards.py
	uv run --group peers python bench/game.py
	uv run --group peers python bench/arena.py
	uv run --group peers python bench/solve.py
	uv run python bench/solve_holdem.py
	uv run python bench/public_chance.py
	uv run python bench/tree.py
	uv run python bench/isomorphism.py
	uv run python bench/blueprint.py
	uv run python bench/spots.py
	uv run --group browser python bench/web.py
	uv run --group browser python bench/web.py --paint

coverage:  ## what the default suite runs, file by file
	uv run --group lint scripts/coverage

mutants:  ## a hundred changes of one operator, and whether the default suite notices
	uv run --group lint scripts/coverage --contexts
	uv run --group lint scripts/mutants

format:
	uv run --group lint ruff check --fix .
	uv run --group lint ruff format .
	git ls-files "core/*.cpp" "core/*.hpp" | xargs uv run --group lint clang-format -i

sanitize:  ## address and undefined-behaviour sanitizers
	scripts/sanitize
