#!/usr/bin/env bash
# Lints on a build server: annotations, a job summary and a SARIF file in one run. Everything comes from GRANTWISE_*
# variables (see action.yml); nothing of them is evaluated.
set -uo pipefail
: "${GRANTWISE_BIN:?where the program is}"
temporary="${RUNNER_TEMP:-$(mktemp -d)}"
sarif="$temporary/grantwise.sarif"
summary="$temporary/grantwise.md"
rm -f -- "$sarif" "$summary"

# A pull request cannot switch off its own checks: configuration and baseline are those of the commit it starts from.
# shellcheck source=integrations/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
if [ -n "${GRANTWISE_BASE:-}" ]; then
  trust_base "$GRANTWISE_BASE" "${GRANTWISE_CONFIG_FILE:-}" "${GRANTWISE_BASELINE:-}" || exit 2
fi

arguments=(lint --no-progress --format "sarif=$sarif")
if [ "${GRANTWISE_ANNOTATIONS:-true}" = true ]; then arguments+=(--format github); else arguments+=(--format compact); fi
[ "${GRANTWISE_SUMMARY:-true}" = true ] && arguments+=(--format "markdown=$summary")
[ -n "${GRANTWISE_CONFIG_FILE:-}" ] && arguments+=(--config "$GRANTWISE_CONFIG_FILE")
[ -n "${GRANTWISE_PRESET:-}" ] && arguments+=(--preset "$GRANTWISE_PRESET")
[ -n "${GRANTWISE_FAIL_ON:-}" ] && arguments+=(--fail-on "$GRANTWISE_FAIL_ON")
[ -n "${GRANTWISE_BASELINE:-}" ] && arguments+=(--baseline "$GRANTWISE_BASELINE")
[ "${GRANTWISE_SUPPRESSIONS:-true}" = true ] || arguments+=(--no-suppressions)
arguments+=(--)
while IFS= read -r path; do
  [ -n "$path" ] && arguments+=("$path")
done <<< "${GRANTWISE_PATHS:-}"

node "$GRANTWISE_BIN" "${arguments[@]}"
code=$?
[ -f "$summary" ] && cat "$summary" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
{
  echo "exit-code=$code"
  echo "sarif-file=$sarif"
} >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
