#!/usr/bin/env bash
# Everything for one change, in one job: lints, reports the access that the change adds and removes, writes the HTML report
# and the comment. The settings are those of lint.sh, diff.sh, report.sh and comment/main.mjs, and:
#
#   GRANTWISE_LINT, GRANTWISE_DIFF, GRANTWISE_COMMENT   false: leave it out
#   GRANTWISE_REPORT         empty: no HTML report
#   GRANTWISE_CODE_QUALITY   the findings of both, in one file
#
# Exits with 2 if a part gave no answer, else with the code of the part that fails.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=integrations/program.sh
. "$here/program.sh"
export GRANTWISE_BIN
scratch=$(scratch_folder) || exit 2
trap 'rm -rf -- "$scratch"' EXIT
quality="${GRANTWISE_CODE_QUALITY:-}"

worst=0
# part COMMAND...: run a part, and keep the code that is worst: 2 before any other, any other before 0.
part() {
  local code=0
  "$@" || code=$?
  if [ "$code" -ne 0 ] && [ "$worst" -ne 2 ]; then worst=$code; fi
}

lint_report='' diff_report=''
if [ "${GRANTWISE_LINT:-true}" = true ]; then
  lint_report="${GRANTWISE_LINT_MARKDOWN:-$scratch/lint.md}"
  rm -f -- "$lint_report"
  GRANTWISE_LINT_MARKDOWN="$lint_report" GRANTWISE_CODE_QUALITY="${quality:+$scratch/lint.json}" part bash "$here/lint.sh"
fi
if [ "${GRANTWISE_DIFF:-true}" = true ]; then
  diff_report="${GRANTWISE_DIFF_MARKDOWN:-$scratch/diff.md}"
  rm -f -- "$diff_report"
  GRANTWISE_MARKDOWN="$diff_report" GRANTWISE_CODE_QUALITY="${quality:+$scratch/diff.json}" GITHUB_OUTPUT="$scratch/outputs" part bash "$here/diff.sh"
  before=$(sed -n 's/^access-base=//p' "$scratch/outputs" 2> /dev/null)
fi
if [ -n "${GRANTWISE_REPORT:-}" ]; then GRANTWISE_BEFORE="${before:-}" part bash "$here/report.sh"; fi
if [ -n "$quality" ]; then
  node -e '
    const { existsSync, readFileSync, writeFileSync } = require("node:fs")
    const [file, ...parts] = process.argv.slice(1)
    writeFileSync(file, JSON.stringify(parts.filter(existsSync).flatMap((part) => JSON.parse(readFileSync(part, "utf8")))))
  ' -- "$quality" "$scratch/lint.json" "$scratch/diff.json" || worst=2
fi
if [ "${GRANTWISE_COMMENT:-true}" = true ]; then
  [ -f "${GRANTWISE_REPORT:-}" ] || unset GRANTWISE_REPORT_URL
  GRANTWISE_LINT_MARKDOWN="$lint_report" GRANTWISE_DIFF_MARKDOWN="$diff_report" part node "$here/comment/main.mjs"
fi
exit "$worst"
