#!/usr/bin/env bash
# Writes the HTML page with who may do what, and what a change adds and removes. All settings are GRANTWISE_* variables,
# which are never evaluated.
#
#   GRANTWISE_REPORT        the file to write
#   GRANTWISE_BEFORE        the commit to compare with; empty: none
#   GRANTWISE_PATHS         files, folders or globs, one per line; empty: `policies` of the configuration
#   GRANTWISE_CONFIG_FILE   as the option of `report`
set -uo pipefail
# shellcheck source=integrations/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
: "${GRANTWISE_REPORT:?the file to write}"
rm -f -- "$GRANTWISE_REPORT"
arguments=(report --output "$GRANTWISE_REPORT")
[ -n "${GRANTWISE_BEFORE:-}" ] && arguments+=(--before "$GRANTWISE_BEFORE")
[ -n "${GRANTWISE_CONFIG_FILE:-}" ] && arguments+=(--config "$GRANTWISE_CONFIG_FILE")
arguments+=(--)
while IFS= read -r path; do
  [ -n "$path" ] && arguments+=("$path")
done <<< "${GRANTWISE_PATHS:-}"

node "$GRANTWISE_BIN" "${arguments[@]}"
code=$?
if [ -f "$GRANTWISE_REPORT" ]; then echo "report-file=$GRANTWISE_REPORT" >> "${GITHUB_OUTPUT:-/dev/null}"; fi
exit "$code"
