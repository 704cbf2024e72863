#!/usr/bin/env bash
# Installs the program on a build server, and writes `bin=PATH` to $GITHUB_OUTPUT or standard output.
# GRANTWISE_VERSION: a version of the npm package; empty: the source of this script.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -n "${GRANTWISE_VERSION:-}" ]; then
  case "$GRANTWISE_VERSION" in
    *[!A-Za-z0-9.+-]* | -*) echo "grantwise: \`version\` is no version" >&2; exit 2 ;;
  esac
  folder=$(mktemp -d)
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "grantwise@$GRANTWISE_VERSION" >&2
  bin="$folder/node_modules/grantwise/bin/grantwise.js"
else
  bin="$home/bin/grantwise.js"
  if [ ! -f "$home/dist/index.js" ]; then
    (cd "$home" && npm ci --ignore-scripts --no-audit --no-fund >&2 && npm run --silent build >&2)
  fi
fi
echo "bin=$bin" >> "${GITHUB_OUTPUT:-/dev/stdout}"
