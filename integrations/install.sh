#!/usr/bin/env bash
# Finds the program for a build server, and writes `bin=PATH` to $GITHUB_OUTPUT or standard output. The bundle, which the tags
# of releases hold, needs no installation.
# GRANTWISE_VERSION: a version of the npm package, which is installed; empty: the bundle.
set -euo pipefail
# What an earlier step of the same job wrote is not the answer of this one.
if [ -n "${RUNNER_TEMP:-}" ]; then rm -f -- "$RUNNER_TEMP/grantwise-lint.md" "$RUNNER_TEMP/grantwise-diff.md" "$RUNNER_TEMP/grantwise-report.html"; fi
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -n "${GRANTWISE_VERSION:-}" ]; then
  case "$GRANTWISE_VERSION" in
    *[!A-Za-z0-9.+-]* | -*) echo "grantwise: \`version\` is no version" >&2; exit 2 ;;
  esac
  folder=$(mktemp -d)
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "grantwise@$GRANTWISE_VERSION" >&2
  bin="$folder/node_modules/grantwise/bin/grantwise.js"
else
  # The package holds the program itself.
  bin="$home/integrations/action/grantwise.cjs"
  if [ ! -f "$bin" ]; then
    bin="$home/bin/grantwise.js"
    if [ ! -f "$home/dist/program/cli.cjs" ]; then
      echo "grantwise: this commit holds no bundle: use the tag of a release, or name a version of the package" >&2
      exit 2
    fi
  fi
fi
if ! node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major > 22 || (major == 22 && minor >= 12) || (major == 20 && minor >= 19) ? 0 : 1)'; then
  echo "grantwise: Node.js 20.19, or 22.12 or newer, is needed: add a step with actions/setup-node" >&2
  exit 2
fi
echo "bin=$bin" >> "${GITHUB_OUTPUT:-/dev/stdout}"
