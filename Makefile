# The commands people type. See README.md.

CARGO ?= cargo
# Some tests of the service wait for a clock or for another process: more of them run than there are processors.
THREADS ?= $(shell expr $$(nproc) + 4)

.PHONY: run test nightly pictures clients audit soak fuzz bench bars bench-games spec docs fmt lint release dist dist-clients packaging

## Start the service on an embedded database with a corpus of bot games, which is kept for the next
## start; FRESH=1 makes a new one.
run:
	@echo "Building the program; the first time takes some minutes."
	$(CARGO) run --bin tabularium -- demo --corpus analytics/corpus/*-[12]-of-16.ndjson.gz $(if $(FRESH),--fresh)

## What must be green before a change lands: all Rust tests, those of tests/on-postgres again on PostgreSQL, and
## the client packages for Python and TypeScript.
test:
	tests/needs python3 venv curl chromium chromedriver:chromium-driver
	$(CARGO) test --workspace -- --test-threads $(THREADS)
	tests/with-postgres $(CARGO) test --workspace --test api -- --test-threads $(THREADS) $$(grep ^http tests/on-postgres)
	tests/clients/run

## Keep the pictures of boards, tables and pages that have changed (tests/pictures); look at each of them.
pictures:
	tests/needs chromium chromedriver:chromium-driver
	TABULARIUM_KEEP_PICTURES=1 $(CARGO) test --workspace --test drawing --test api look_as

## The specification held to linters, a fuzzer from a fresh seed, and clients; STEPS="lint python" is some of it.
## FUZZ_SEED=N repeats a run. See tests/clients/run.
clients:
	$(CARGO) build --workspace --bins
	FUZZ_SECONDS=$(or $(FUZZ_SECONDS),60) FUZZ_SEED=$(or $(FUZZ_SEED),$$(date +%s)) tests/clients/run $(STEPS)

## The pages of the demo held to the Nu HTML checker and to Lighthouse; PAGES="/ /games" are some of them.
audit:
	$(CARGO) test --workspace --test api --no-run
	tests/audit/run $(PAGES)

## All tests and what takes hours: a game by a client of each generator in openapi/quickstarts/generators.md, Spark,
## fuzzing at length from fresh seeds, faults and floods.
nightly: test
	tests/needs java:openjdk-17-jre-headless javac:openjdk-17-jdk-headless \
		/usr/share/java/httpmime.jar:libhttpmime-java
	$(MAKE) packaging audit
	tests/clients/run rust java spark pydantic openapi_python_client openapi_fetch openapi_generator zod witness
	FUZZ_SECONDS=600 FUZZ_SEED=$$(date +%s) tests/clients/run fuzz
	$(MAKE) fuzz SECONDS=300
	$(MAKE) soak SECONDS=30

## The faults and floods of tests/faults at length, on the optimised program: KILLS of each kind, SECONDS
## of each flood. CASE=kills is some of them; SOAK_SEED=N repeats a run.
KILLS ?= 150
soak:
	SOAK_KILLS=$(KILLS) SOAK_SECONDS=$(SECONDS) SOAK_TIMES=20 \
		$(CARGO) test --release --workspace --test api --test tabularium-bots -- \
		--nocapture --test-threads 1 --include-ignored faults::$(CASE)

## The fuzz targets, each for SECONDS from a fresh seed; TARGET=position is one of them. See
## engine/records/tests/fuzz/mod.rs.
SECONDS ?= 60
fuzz:
	FUZZ_SECONDS=$(SECONDS) $(CARGO) test --workspace --test records -- --nocapture $(if $(TARGET),--exact) fuzz::$(TARGET)

## Criterion benches of engine, measures and service. The first build takes some ten minutes.
bench:
	$(CARGO) bench --workspace --benches

## How long measures take on the facts of GAMES games, and how much memory; some KB of disk a game.
GAMES ?= 1000000
bench-games:
	folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT && \
	$(CARGO) build --release --workspace --example many_games && \
	target/release/examples/many_games make "$$folder" $(GAMES) 8 && \
	target/release/examples/many_games measure "$$folder"
## The bars of speed and size, each beside its figure; BARS="size turns" is some of them. See
## tests/bars/main.rs.
BARS ?= all
bars:
	$(CARGO) build --release --workspace --bins --example many_games
	$(CARGO) bench --workspace --bench bars -- $(BARS)

# The program as tests build it: `cargo run` would compile the dependencies again, with fewer features.
PROGRAM = $(CARGO) test --workspace --test api --no-run && $${CARGO_TARGET_DIR:-target}/debug/tabularium

## Write openapi/openapi.json.
spec:
	$(PROGRAM) openapi > openapi/openapi.json.new
	mv openapi/openapi.json.new openapi/openapi.json

## Write the documentation as static files to target/docs; SERVER=URL has links to pages of a server lead there.
docs:
	$(PROGRAM) docs --to target/docs $(if $(SERVER),--server $(SERVER))

fmt:
	$(CARGO) fmt --all

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	tests/dependencies

## The optimised programs: target/dist/tabularium, tabularium-bots and tabularium-analytics. The last by itself, so that
## the service goes without what only queries in SQL need, which compiles polars twice.
release:
	$(CARGO) build --profile dist -p api -p tabularium-bots
	$(CARGO) build --profile dist -p analytics

## Everything to publish with a version, in target/dist: archives, the Debian package, the client packages, lists of
## components, checksums. Each is installed and started here, for which root is needed. No file may have more than
## LARGEST bytes, because people download it.
LARGEST ?= 60000000
dist: release dist-clients
	tests/needs python3 venv curl
	api/packaging/dist $${CARGO_TARGET_DIR:-target}/dist target/dist $(LARGEST)
	tests/packaging/run

## The same files from the programs that tests use, which takes no optimised build; STEPS="lint image" is some of the
## checks. See tests/packaging/run.
packaging:
	tests/needs python3 venv curl
	$(CARGO) test --workspace --no-run
	folder=$$(mktemp -d) && trap 'rm -r "$$folder"' EXIT && \
	for name in tabularium tabularium-bots tabularium-analytics; do \
		strip -o "$$folder/$$name" "$${CARGO_TARGET_DIR:-target}/debug/$$name" || exit; \
	done && \
	api/packaging/dist "$$folder" target/packaging && \
	TABULARIUM_DIST=target/packaging tests/packaging/run $(STEPS)

## The client packages: a wheel for Python and a tarball for npm, in target/dist.
dist-clients:
	tests/needs python3 venv node:nodejs npm
	openapi/clients/build target/dist
