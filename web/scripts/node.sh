#!/bin/sh
# Checks that there is Node 20 or newer, with npm; installs Debian's where one is missing.
set -u
LEAST=20

fail() {
  echo "node.sh: $1" >&2
  exit 1
}

missing() {
  ! command -v node >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1
}

if missing; then
  command -v apt-get >/dev/null 2>&1 || fail "Node $LEAST with npm is needed, and there is no apt-get to install it with"
  if [ "$(id -u)" = 0 ]; then
    as=""
  elif sudo -n true 2>/dev/null; then
    as="sudo -n"
  else
    fail "Node $LEAST with npm is needed, and installing it needs root: apt-get install nodejs npm"
  fi
  {
    $as env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
      $as env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends nodejs npm
  } >/dev/null 2>&1 || fail "apt-get could not install nodejs and npm: run 'apt-get install nodejs npm' to see why"
  missing && fail "nodejs and npm were installed, but there are no such programs"
fi

version=$(node --version)
major=${version#v}
major=${major%%.*}
[ "$major" -ge "$LEAST" ] 2>/dev/null || fail "Node $LEAST or newer is needed, this is $version ($(command -v node))"
npm --version >/dev/null 2>&1 || fail "npm does not run"
