#!/usr/bin/env bash
# Starts the emulator with account.yaml on a free port, asks it as a decision point with curl, and stops it.
#
#   GRANTWISE=grantwise ./ask.sh     # the program; default: that of this clone
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here"
work=$(mktemp -d)
# Read below, perhaps before the emulator has begun.
: >"$work/out"

grantwise() {
  if [ -n "${GRANTWISE:-}" ]; then exec "$GRANTWISE" "$@"; else exec node "$here/../../bin/grantwise.js" "$@"; fi
}

(grantwise serve --port 0 --seed account.yaml --no-config --quiet) >"$work/out" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

base=
for _ in $(seq 600); do
  base=$(sed -n 's/^eu  \(http[^ ]*\)\/eu .*/\1/p' "$work/out")
  if [ -n "$base" ]; then break; fi
  kill -0 "$server" || exit 1
  sleep 0.1
done
if [ -z "$base" ]; then echo "the emulator did not print its address" >&2; exit 1; fi

# ask PATH BODY
ask() {
  printf '%s  %s\n' "$1" "$2"
  curl -sS --fail-with-body "$base$1" -H 'Content-Type: application/json' -d "$2"
  printf '\n'
}

ask /access/v1/evaluation '{"subject": {"type": "user", "id": "alice"}, "action": {"name": "read"}, "resource": {"type": "record", "id": "record-1"}}'
ask /access/v1/search/subject '{"subject": {"type": "user"}, "action": {"name": "write"}, "resource": {"type": "record", "id": "record-2"}}'
ask /access/v1/search/action '{"subject": {"type": "user", "id": "alice"}, "resource": {"type": "record", "id": "record-1"}}'
