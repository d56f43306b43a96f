# Everything here needs stable Rust, make and bash; the viewer's page and its tests need Node 20 too, and say so where it is missing.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo demo-terminal page test test-page test-browser bench-view shots study-friction study-prune study-drift study-campaign study-energy study-pairs study-convergence study-formation study-volume study-volume-geometry soak test-loom fuzz figures bench bench-check bench-plain bench-sample bench-bake \
	bench-sdf bench-tick bench-budget bench-wall soak-loop bench-holding bench-volume bench-roughness bench-rivals results dist dist-check clean

CARGO_TARGET_DIR ?= target
test_log := $(CARGO_TARGET_DIR)/test.log
# For any x86-64, as opposed to .cargo/config.toml; in a folder of its own, so as not to build everything twice.
plain := RUSTFLAGS="-C target-cpu=x86-64" CARGO_TARGET_DIR=$(CARGO_TARGET_DIR)/plain
stiction := cargo run --quiet --release --package stiction-cli --bin stiction --
lab := cargo run --quiet --release --package stiction-lab --

help:             ## what there is
	@sed -n 's/^\([a-z-]*\): *## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 24

demo: page        ## the live viewer: drag a cube in a corner in the browser, and see why it holds
	@$(stiction) view

demo-terminal:    ## the same story as a table: bake a gear, then pull a cube out of a corner until friction lets go
	@mkdir -p $(CARGO_TARGET_DIR)/demo
	@$(stiction) solid gear -o $(CARGO_TARGET_DIR)/demo/gear.stl
	@$(stiction) bake $(CARGO_TARGET_DIR)/demo/gear.stl --unit mm -o $(CARGO_TARGET_DIR)/demo/gear.shape \
		--picture $(CARGO_TARGET_DIR)/demo --no-cache
	@echo; $(stiction) demo --picture $(CARGO_TARGET_DIR)/demo/corner.svg

page:             ## the viewer's page, into web/dist, where the next cargo build finds it; needs Node 20
	@web/scripts/build.sh || echo "note: stiction view will say how to build its page"

# Tests that cannot run here print a line that starts with `SKIP:`; it is only seen with --show-output.
test:             ## format, lints, docs, all tests, equal bits in debug, release and without AVX2
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --workspace
	@mkdir -p $(CARGO_TARGET_DIR)
	@: > $(test_log)
	@$(MAKE) --no-print-directory test-page
	cargo test --workspace --no-fail-fast -- --show-output 2>&1 | tee -a $(test_log)
	@$(MAKE) --no-print-directory test-browser
	cargo test --profile dev -p stiction -p stiction-volume --test bits --test shape_bits 2>&1 | tee -a $(test_log)
	cargo test --release -p stiction -p stiction-volume --test bits --test shape_bits 2>&1 | tee -a $(test_log)
	cargo test --release -p stiction-scene --test golden every_scene 2>&1 | tee -a $(test_log)
	if [ "$$(uname -m)" = x86_64 ]; then $(plain) cargo test --release -p stiction -p stiction-volume --test bits --test shape_bits 2>&1 | tee -a $(test_log); fi
	@$(MAKE) --no-print-directory test-loom
	@skipped=$$(grep -c '^SKIP:' $(test_log) || true); \
	echo "$$skipped tests skipped"; \
	if [ "$$skipped" != 0 ]; then grep '^SKIP:' $(test_log); [ "$${CI:-}" != true ]; fi

test-page:        ## the page's types and unit tests, and its build
	@mkdir -p $(CARGO_TARGET_DIR)
	@web/scripts/test.sh unit 2>&1 | tee -a $(test_log)

test-browser:     ## the viewer end to end in a real browser, with the program that `cargo test` built
	@STICTION=$(abspath $(CARGO_TARGET_DIR))/debug/stiction web/scripts/test.sh browser 2>&1 | tee -a $(test_log)

test-loom:        ## every interleaving of the servo loop's hand-over
	RUSTFLAGS="--cfg loom" cargo test --release --manifest-path crates/stiction-device/loom/Cargo.toml \
		--target-dir $(CARGO_TARGET_DIR)/loom 2>&1 | tee -a $(test_log)

study-friction:   ## the friction property suites with ten times the problems
	STICTION_STUDY=10 cargo test --release -p stiction-reference -- --show-output

study-prune:      ## a million poses of point shells: pruned walks against exhaustive search
	STICTION_STUDY=100 cargo test --release -p stiction --test shape_walk -- --show-output
	STICTION_STUDY=100 cargo test --release -p stiction-bake --test prune -- --show-output

study-drift:      ## an hour of simulated time of parts that friction holds: they stay within 1e-12 m
	STICTION_STUDY=1 cargo test --release -p stiction-scene --test drift -- --show-output

study-campaign:   ## the fault campaign: 37,500 runs over 50 kinds of faults and all their pairs
	STICTION_STUDY=1 cargo test --release -p stiction-session --test campaign -- --show-output

study-energy:     ## energy that comes out beyond what went in: every scene, solver and hand
	STICTION_STUDY=1 cargo test --release -p stiction-session --test energy -- --show-output

study-pairs:      ## harsh tests of every pair of real parts and of fits by parameter: a table, and failures by name
	STICTION_STUDY=1 cargo test --release -p stiction-scene --test harsh strangers -- --nocapture

study-formation:  ## contact formations: speed, 100,000 poses against an exhaustive search, work of friction, jumps, an hour at rest
	STICTION_STUDY=1 cargo test --release -p stiction-formation --test study -- --show-output --test-threads=1

study-volume:     ## contact volumes: convex parts, the paper's figures, other engines in the same scenes, speed, budgets: half an hour
	@$(MAKE) --no-print-directory study-volume-geometry
	@$(lab) figures cv-01-normal cv-09-stack cv-12-drop cv-14-stick-slip cv-15-shovels cv-16-top -o $(CARGO_TARGET_DIR)/figures
	@bench/peers/run-volume || [ $$? = 3 ]
	STICTION_STUDY=10 cargo test --release -p stiction-session --test volume random_hands -- --show-output
	STICTION_STUDY=1 cargo test --release -p stiction-session --test campaign nor_where_the_device_is_a_body -- --show-output
	STICTION_STUDY=1 cargo test --release -p stiction-volume --test study -- --show-output --test-threads=1

study-volume-geometry: ## intersections, distances and integrals of 10⁵ random pairs of convex parts against independent methods
	STICTION_STUDY=1 cargo test --release -p stiction-volume --test geometry -- --show-output
	STICTION_STUDY=1 cargo test --release -p stiction-bake --test convex real_meshes -- --show-output

study-convergence: ## contact forces against closed forms as points and voxels refine: a table
	STICTION_STUDY=1 cargo test --release -p stiction-scene --test convergence -- --nocapture

soak:             ## a random hand on every scene, ten minutes of simulated time each
	STICTION_STUDY=10 cargo test --release -p stiction-scene --test soak -- --show-output
	STICTION_STUDY=10 cargo test --release -p stiction-session --test volume random_hands -- --show-output

fuzz:             ## coverage-guided fuzzing of importers and the baked file, a minute each; needs nightly Rust
	fuzz/run

figures:          ## the friction paper's figures and ours, run again, into target/figures
	@$(lab) figures -o $(CARGO_TARGET_DIR)/figures
	@if bench/peers/run-programs $(CARGO_TARGET_DIR)/figures/lp-05; then $(lab) figures lp-05 -o $(CARGO_TARGET_DIR)/figures; else echo "figures: no simplex and active sets for lp-05"; fi

bench:            ## the friction solvers beside general ones, five minutes
	@$(lab) bench friction

bench-check:      ## the same, held to its targets
	@$(lab) bench friction --check

bench-plain:      ## the same, built without AVX2 for any x86-64; the answers have the same bits
	@$(plain) cargo run --quiet --release --package stiction-lab -- bench friction --check

bench-sample:     ## distance and gradient, samples a second
	@$(lab) bench sample

bench-bake:       ## dense 256 and sparse 1024 fields: time, memory, disk
	@$(lab) bench bake --part dense
	@$(lab) bench bake --part sparse --runs 1

bench-sdf:        ## the dense field beside mesh2sdf and Open3D, held to its target; makes its own Python environment
	@bench/peers/run-sdf --check

bench-tick:       ## whole ticks of every scene and method, and their growth with contacts, held to its targets
	@$(lab) bench tick --check

bench-budget:     ## ticks whose work is limited to half a period: a thread and 10,000 contacts, held to their targets
	@$(lab) bench budget --check

bench-wall:       ## where a sampled wall goes unstable, held to 5 % of the passivity bound
	@$(lab) bench wall --check

soak-loop:        ## every scene in the servo loop, ten minutes of its time each, held to budget, limits and energy
	@$(lab) soak --scene all --minutes 10

bench-view: page  ## the loop with three pages and with none, latency and frame rates, held to its targets
	@cargo build --quiet --release --package stiction-cli
	@STICTION=$(abspath $(CARGO_TARGET_DIR))/release/stiction web/scripts/test.sh bench --check

shots: page       ## pictures of every scene in the viewer at three sizes, into target/shots; those of the documents into docs/view
	@cargo build --quiet --release --package stiction-cli
	@STICTION=$(abspath $(CARGO_TARGET_DIR))/release/stiction web/scripts/test.sh shots docs/view $(CARGO_TARGET_DIR)/shots

bench-holding:    ## the creep of a part that friction must hold, beside other engines; makes its own Python environment
	@bench/peers/run-holding

bench-volume:     ## walls of blocks, a dropped cube, stick-slip and a pinched capsule beside ODE, rapier, MuJoCo, Drake and PyBullet; installs what it needs
	@bench/peers/run-volume --check

bench-roughness:  ## what of the wrench is felt as vibration, with every friction solver
	@$(lab) bench roughness

bench-rivals:     ## the paper's methods beside staggered projections and Gauss-Seidel, on the 72 contacts of figure 15
	@$(lab) bench rivals

results:          ## docs/results.md, made from what benches, studies and figures left in target/results
	@$(lab) results

version := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
triple := $(shell rustc -vV | sed -n 's/^host: //p')
dist_name := stiction-$(version)-$(triple)
dist_folder := $(CARGO_TARGET_DIR)/dist

dist:             ## an archive for other machines, into target/dist: the program with its page and scenes, licences, README, guide
	@web/scripts/build.sh
	cargo build --release --package stiction-cli
	@rm -rf $(dist_folder)/$(dist_name) && mkdir -p $(dist_folder)/$(dist_name)
	@cp -r $(CARGO_TARGET_DIR)/release/stiction LICENSE-MIT LICENSE-APACHE README.md CHANGELOG.md docs scenes $(dist_folder)/$(dist_name)
	@if command -v strip > /dev/null; then strip --strip-debug $(dist_folder)/$(dist_name)/stiction; fi
	@tar --create --gzip --owner=0 --group=0 --numeric-owner --directory $(dist_folder) --file $(dist_folder)/$(dist_name).tar.gz $(dist_name)
	@rm -r $(dist_folder)/$(dist_name)
	@ls -l $(dist_folder)/$(dist_name).tar.gz

dist-check: dist  ## unpack it into an empty folder, and run every command of README and guide with its program and an empty home
	@rm -rf $(dist_folder)/check && mkdir -p $(dist_folder)/check
	@tar --extract --gzip --directory $(dist_folder)/check --file $(dist_folder)/$(dist_name).tar.gz
	@cd $(dist_folder)/check/$(dist_name) && ls stiction LICENSE-MIT LICENSE-APACHE README.md docs/guide/*.md scenes/README.md
	STICTION_PROGRAM=$(abspath $(dist_folder))/check/$(dist_name)/stiction cargo test --package stiction-cli --test anywhere -- --nocapture
	@rm -rf $(dist_folder)/check

clean:            ## remove what was built
	cargo clean
