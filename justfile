# Every command a person runs. `npx --yes rust-just <name>` works where just is not installed.

set positional-arguments

# Build everything and run the site with demonstration data on an embedded PostgreSQL.
up *arguments:
    scripts/up "$@"

# Set up what the tests need and run all of them, or the parts named: `just test`, `just test --timings`,
# `just test rust page`.
test *arguments:
    node scripts/test.mjs "$@"

# The tests that a change can reach; without a commit, since this branch left main.
test-changed *base: tools
    node scripts/test-changed.mjs "$@"

# Install what tests and benchmarks need on Debian; elsewhere, say what is missing.
tools:
    scripts/install-tools

# Build the pages the binary carries inside itself.
pages:
    scripts/build-pages

# Types, lints, formats, translation keys, walls.
check:
    scripts/check

# The page tests, or those of some files: `just test-page vote-dialog -t refuses`.
test-page *arguments:
    npm --prefix frontend test -- "$@"

# Measure the house style: names, sizes, comments, words of the documents.
measure-code:
    scripts/measure-code

# The Rust tests alone, on a throw-away PostgreSQL: `just test-rust -E 'package(ranking)'`.
test-rust *arguments:
    scripts/test-rust "$@"

# Which lines the tests reach, by crate and by folder of the pages: `just coverage`, or some of `rust`, `client`, `page`.
coverage *arguments:
    scripts/coverage "$@"

# Run a part again and again, ten times or as often as told, and report which tests failed in which runs:
# `just flaky rust`, `just flaky page 5 --load`, `just flaky client 20 -- storage`. With `--load` every core
# is busy beside it, with `--delays` threads are slow now and then; `--at '2026-12-31 22:57'` runs it with that date (UTC).
flaky *arguments:
    node scripts/flaky.mjs "$@"

# Random input for every parser, as long as given for each test named `random_…` (seconds, then a
# filter): `just fuzz`, `just fuzz 60 -p compat-token`. Seeds are printed; `FUZZ_SEED=n` repeats one.
# Coverage-guided and with a nightly compiler, the request alone: `cargo +nightly fuzz run request`
# in supabase-compat/compat-rest-core.
fuzz *arguments:
    scripts/fuzz "$@"

# The published JavaScript client against the running binary.
test-client *file: pages
    scripts/test-ends client "$@"

# Chromium against the running binary; screenshots land in tests/artefacts.
test-browser *file: pages
    scripts/test-ends browser "$@"

# Kill servers, postmasters and backends under streams of votes, objects and broadcasts, so many rounds: `just chaos`,
# `just chaos 50`. `just test` does one round.
chaos rounds='10': pages
    CHAOS_ROUNDS={{ rounds }} scripts/test-ends chaos

# So many payments while the server is killed, and every cent looked for afterwards: `just chaos-payments`, `just chaos-payments 500`.
chaos-payments payments='5000': pages
    CHAOS_PAYMENTS={{ payments }} scripts/test-ends chaos payments

# Measure, and write docs/performance.md: `just bench`, `just bench rest`.
bench *what: tools pages
    [ -n "${BENCH_BINARIES:-}" ] || cargo build --release -p server -p compat-cli -p bench-programs --bins
    node bench/run.mjs "$@"

# Make the next migration of the site's schema, or of the folder named second: `just migration add_colour_to_games`.
migration *arguments:
    scripts/new-migration "$@"

# Bring src/lib/database.ts up to date with sql/.
database-types:
    scripts/generate-database-types

# Draw the pictures in storage/pictures again.
pictures:
    node scripts/make-pictures.mjs

# Take the pictures of the console for docs/pictures; with a folder, every screen in every look, to be looked at:
# `just console-pictures /tmp/screens`, `just console-pictures /tmp/screens settings backups`.
console-pictures *arguments: pages
    node scripts/picture-console.mjs "$@"

# Take pictures of every page of the site, at both widths and in both themes, to be looked at: `just page-pictures`,
# `just page-pictures /tmp/pages`, `just page-pictures /tmp/pages home server`.
page-pictures *arguments: pages
    node scripts/picture-pages.mjs "$@"

# Pages with hot reload against a server started with `just up`.
dev:
    npm --prefix frontend run dev

# Make the published packages in target/dist (`just dist npm`), or test them (`just dist test`).
dist *what:
    node packaging/dist.mjs "$@"

# The section of CHANGELOG.md for a version, out of the commits since the last tag: `just changelog 1.2.3`.
changelog version:
    npx --yes git-cliff@2 --unreleased --tag "v{{ version }}"
