#!/usr/bin/env bash
# Lints on a build server: annotations, a job summary and a SARIF file in one run. Everything comes from GRANTWISE_*
# variables (see action.yml); nothing of them is evaluated.
set -uo pipefail
: "${GRANTWISE_BIN:?where the program is}"
temporary="${RUNNER_TEMP:-$(mktemp -d)}"
sarif="$temporary/grantwise.sarif"
summary="$temporary/grantwise.md"

# A pull request cannot switch off its own checks: configuration and baseline are those of the commit it starts from.
if [ -n "${GRANTWISE_BASE:-}" ]; then
  git cat-file -e "$GRANTWISE_BASE^{commit}" 2>/dev/null || git fetch --quiet --no-tags --depth=1 origin "$GRANTWISE_BASE" || {
    echo "grantwise: the base commit cannot be fetched: its configuration is not known" >&2
    exit 2
  }
  top=$(git rev-parse --show-toplevel) || exit 2
  prefix=$(git rev-parse --show-prefix)
  while IFS= read -r file; do
    if git cat-file -e "$GRANTWISE_BASE:$file" 2>/dev/null; then
      git cat-file blob "$GRANTWISE_BASE:$file" > "$top/$file" || exit 2
    else
      rm -f -- "$top/$file"
    fi
  done < <({
    git ls-files --full-name --cached --others -- ':(top,glob)**/.grantwise.yaml' ':(top,glob)**/.grantwise.yml' ':(top,glob)**/.grantwise.json'
    git ls-tree -r --name-only --full-tree "$GRANTWISE_BASE" | grep -E '(^|/)\.grantwise\.(yaml|yml|json)$'
    for named in "${GRANTWISE_CONFIG_FILE:-}" "${GRANTWISE_BASELINE:-}"; do
      [ -n "$named" ] && printf '%s%s\n' "$prefix" "$named"
    done
  } | sort -u)
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
