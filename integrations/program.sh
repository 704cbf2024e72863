#!/usr/bin/env bash
# Source this file: sets GRANTWISE_BIN to the program beside these scripts, unless it is set.
if [ -z "${GRANTWISE_BIN:-}" ]; then
  GRANTWISE_BIN=$(GITHUB_OUTPUT='' bash "$(dirname "${BASH_SOURCE[0]}")/install.sh") || exit 2
  GRANTWISE_BIN="${GRANTWISE_BIN#bin=}"
fi
