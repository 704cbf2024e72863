#!/usr/bin/env bash
# Lints on a build server: annotations, a job summary and a SARIF file in one run. All settings are GRANTWISE_* variables,
# which are never evaluated.
#
#   GRANTWISE_BASE          the commit that configuration and baseline come from, see base.sh; empty: the change
#   GRANTWISE_BASE_BRANCH   the branch to fetch if the server gives out no single commits
#   GRANTWISE_PATHS         files, folders or globs, one per line; empty: `policies` of the configuration
#   GRANTWISE_CONFIG_FILE, GRANTWISE_PRESET, GRANTWISE_FAIL_ON, GRANTWISE_BASELINE   as the options of `lint`
#   GRANTWISE_SUPPRESSIONS, GRANTWISE_FENCES   false: report suppressed findings; skip Markdown
#   GRANTWISE_ANNOTATIONS, GRANTWISE_SUMMARY   false: a line per finding instead of annotations; no summary
#   GRANTWISE_CACHE         a folder for results, which the next run prints again where nothing has changed; empty: none
#   GRANTWISE_CODE_QUALITY, GRANTWISE_JUNIT, GRANTWISE_LINT_MARKDOWN    additional files to write
set -uo pipefail
# shellcheck source=integrations/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
scratch=$(scratch_folder) || exit 2
trap 'rm -rf -- "$scratch"' EXIT
sarif="${RUNNER_TEMP:-${TMPDIR:-/tmp}}/grantwise.sarif"
summary="$scratch/summary.md"
rm -f -- "$sarif" ${GRANTWISE_LINT_MARKDOWN:+"$GRANTWISE_LINT_MARKDOWN"}

# A pull request cannot switch off its own checks: configuration and baseline come from the commit it starts from.
# shellcheck source=integrations/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
if [ -n "${GRANTWISE_BASE:-}" ]; then
  trust_base "$GRANTWISE_BASE" "$scratch" "${GRANTWISE_CONFIG_FILE:-}" "${GRANTWISE_BASELINE:-}" || exit 2
fi

arguments=(lint --no-progress ${coverage:+"$coverage"} --format "sarif=$sarif")
if [ "${GRANTWISE_ANNOTATIONS:-true}" != true ]; then
  arguments+=(--format compact)
elif [ "${TF_BUILD:-}" = True ]; then # Azure
  arguments+=(--format azure)
else
  arguments+=(--format github)
fi
[ "${GRANTWISE_SUMMARY:-true}" = true ] && arguments+=(--format "markdown=$summary")
[ "${GRANTWISE_FENCES:-true}" = true ] && arguments+=(--fences)
[ -n "${GRANTWISE_CODE_QUALITY:-}" ] && arguments+=(--format "gitlab=$GRANTWISE_CODE_QUALITY")
[ -n "${GRANTWISE_LINT_MARKDOWN:-}" ] && arguments+=(--format "markdown=$GRANTWISE_LINT_MARKDOWN")
[ -n "${GRANTWISE_JUNIT:-}" ] && arguments+=(--format "junit=$GRANTWISE_JUNIT")
[ -n "${GRANTWISE_CONFIG_FILE:-}" ] && arguments+=(--config "$GRANTWISE_CONFIG_FILE")
[ -n "${GRANTWISE_PRESET:-}" ] && arguments+=(--preset "$GRANTWISE_PRESET")
[ -n "${GRANTWISE_FAIL_ON:-}" ] && arguments+=(--fail-on "$GRANTWISE_FAIL_ON")
[ -n "${GRANTWISE_BASELINE:-}" ] && arguments+=(--baseline "$GRANTWISE_BASELINE")
[ -n "${GRANTWISE_CACHE:-}" ] && arguments+=(--cache --cache-location "$GRANTWISE_CACHE")
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
  if [ -f "$sarif" ]; then echo "sarif-file=$sarif"; fi
} >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
