#!/usr/bin/env bash
# test.sh unit: types, unit tests and the build. test.sh browser: end to end in a browser. test.sh bench, shots: likewise, with their arguments.
# Where Node or a browser cannot be had, unit and browser print a line that starts with SKIP:, which `make test` counts.
set -euo pipefail
cd "$(dirname "$0")/.."
what=$1
shift
missing() {
	case $what in
	unit | browser) echo "SKIP: the page's $what tests: $1"; exit 0 ;;
	*) echo "error: $1" >&2; exit 1 ;;
	esac
}
why=$(scripts/node.sh 2>&1) || missing "$why"
scripts/build.sh
case $what in
unit)
	npm run --silent check
	npm run --silent test
	;;
*)
	if CHROMIUM=$(scripts/chromium.sh 2> /tmp/stiction-chromium.$$); then rm -f /tmp/stiction-chromium.$$; else
		why=$(cat /tmp/stiction-chromium.$$); rm -f /tmp/stiction-chromium.$$
		missing "$why"
	fi
	export CHROMIUM
	case $what in
	browser) npm run --silent e2e -- "$@" ;;
	bench) npm run --silent bench -- "$@" ;;
	shots)
		folder() { cd .. && mkdir -p "$1" && cd "$1" && pwd; }
		npm run --silent shots -- "$(folder "$1")" "$(folder "$2")" "${3:-}"
		;;
	esac
	;;
esac
