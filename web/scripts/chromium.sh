#!/bin/sh
# Prints the path of a Chromium that can be used for tests; installs Debian's where there is none.
set -u

find_one() {
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" 2>/dev/null && return 0
  done
  return 1
}

fail() {
  echo "chromium.sh: $1" >&2
  exit 1
}

if [ -n "${CHROMIUM:-}" ] && ! command -v "$CHROMIUM" >/dev/null 2>&1; then
  fail "CHROMIUM is set to $CHROMIUM, which is no program"
fi
find_one && exit 0
command -v apt-get >/dev/null 2>&1 || fail "there is no Chromium and no apt-get to install it with: set CHROMIUM to one"

if [ "$(id -u)" = 0 ]; then
  as=""
elif sudo -n true 2>/dev/null; then
  as="sudo -n"
else
  fail "there is no Chromium, and installing it needs root: apt-get install chromium"
fi
# Only the path goes to stdout.
{
  $as env DEBIAN_FRONTEND=noninteractive apt-get -qq update &&
    $as env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends chromium
} >/dev/null 2>&1 || fail "apt-get could not install chromium: run 'apt-get install chromium' to see why"
find_one || fail "chromium was installed, but there is no such program"
