#!/usr/bin/env bash
# Makes a repository of the policies in this folder, and a branch in it that allows the refused call of 403.json.
# It prints the description of the branch, and what `git`, `grantwise diff` and `grantwise test` say of it.
#
#   GRANTWISE=grantwise ./walk.sh     # the program; default: that of this clone
#
# Anything unexpected ends the walk with code 1.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

grantwise() {
  if [ -n "${GRANTWISE:-}" ]; then "$GRANTWISE" "$@"; else node "$here/../../bin/grantwise.js" "$@"; fi
}

cp -R "$here/policies" "$here/403.json" "$work"
cd "$work"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_NAME=ann GIT_AUTHOR_EMAIL=ann@example.org GIT_AUTHOR_DATE=2099-12-01T09:00:00Z
export GIT_COMMITTER_NAME=ann GIT_COMMITTER_EMAIL=ann@example.org GIT_COMMITTER_DATE=2099-12-01T09:00:00Z
git init --quiet --initial-branch=main
git add policies
git commit --quiet --message 'Policies'

grantwise call POST /v1/vps/vps-7/reboot --identity urn:v1:eu:identity:user:ab12-svc/bob --from-403 403.json \
  --propose --at 2099-12-01T12:00:00Z --expires 2099-12-15 --description pull-request.md -p policies > answer
# Without the fences of the diff.
grep -v '^```' pull-request.md

echo
git diff --stat main grantwise/allow-bob-reboot
grantwise diff git:main:policies git:grantwise/allow-bob-reboot:policies --at 2099-12-02T12:00:00Z | head -n 1 || true
git checkout --quiet grantwise/allow-bob-reboot
grantwise test | tail -n 1
