#!/usr/bin/env bash
# Source this file: sets GRANTWISE_BIN to the program beside these scripts, unless it is set, and `coverage` to the option that
# makes reports say what was read. Earlier versions, which `version` may name, do not have it.
if [ -z "${GRANTWISE_BIN:-}" ]; then
  GRANTWISE_BIN=$(GITHUB_OUTPUT='' bash "$(dirname "${BASH_SOURCE[0]}")/install.sh") || exit 2
  GRANTWISE_BIN="${GRANTWISE_BIN#bin=}"
fi
# shellcheck disable=SC2034
case "$(node "$GRANTWISE_BIN" diff --help 2> /dev/null)" in *' --coverage '*) coverage=--coverage ;; *) coverage='' ;; esac
