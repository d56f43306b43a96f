#!/usr/bin/env bash
# Builds the page into web/dist, if it is not newer than what it is made of. Ends with 1, and says why, where there is no Node.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/node.sh
marker=node_modules/.package-lock.json
if [ ! -e "$marker" ] || [ package-lock.json -nt "$marker" ]; then
	# Not `npm ci`: it wants every platform's build of Vite's bundler in the lock file, and not every registry has them all. Versions are the lock file's all the same.
	npm install --no-save --no-audit --no-fund --loglevel=error
	touch "$marker"
fi
built=dist/index.html.gz
if [ ! -e "$built" ] || [ -n "$(find src public index.html package-lock.json tsconfig.json vite.config.ts scripts -type f -newer "$built" -print -quit)" ]; then
	npm run --silent build
	touch "$built"
fi
