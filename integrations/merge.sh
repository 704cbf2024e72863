#!/usr/bin/env bash
# Reports in a merge queue the access that a change and those before it in the queue grant together, and neither grants by itself.
# All settings are GRANTWISE_* variables (see action.yml), which are never evaluated.
#
#   GRANTWISE_QUEUE_BASE    the commit that the queue puts the change on: the branch with the changes before it
#   GRANTWISE_BASE_BRANCH   the branch that the queue merges into
#   GRANTWISE_BASE          the commit that the configuration comes from; empty: the change
#   GRANTWISE_PATHS, GRANTWISE_CONFIG_FILE   as for diff.sh
set -uo pipefail
# shellcheck source=integrations/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
# shellcheck source=integrations/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
temporary=$(scratch_folder) || exit 2
trap 'rm -rf -- "$temporary"' EXIT

# finish CODE MESSAGE: exit with a code, and the reason for people.
finish() {
  echo "grantwise: $2" >&2
  echo "together-exit-code=$1" >> "${GITHUB_OUTPUT:-/dev/null}"
  exit "$1"
}

queued="${GRANTWISE_QUEUE_BASE:-}"
if ! is_hash "$queued"; then finish 2 'the commit that the queue puts the change on is not known'; fi
has_commit "$queued" || fetch_one "$queued" || finish 2 'the commit that the queue puts the change on cannot be fetched: check out more of the history (fetch-depth: 0)'
fetch_branch "${GRANTWISE_BASE_BRANCH:-}" || finish 2 'the branch that the queue merges into cannot be fetched'
main=$(exact_commit FETCH_HEAD) || finish 2 'the branch that the queue merges into is not known'
if [ "$main" = "$queued" ]; then finish 0 'nothing is before this change in the queue'; fi

# The change by itself is HEAD without what is before it in the queue: as if picked onto the branch, however the queue merges.
export GIT_AUTHOR_NAME=grantwise GIT_AUTHOR_EMAIL=grantwise@localhost GIT_COMMITTER_NAME=grantwise GIT_COMMITTER_EMAIL=grantwise@localhost

# separated: prints the commit of the change by itself. Returns 1 if it conflicts with the branch, 129 if git is too old, and
# another code if git failed.
separated() {
  local root one other tree
  root=$(git commit-tree "$queued^{tree}" -m queued) || return 2
  one=$(git commit-tree "$main^{tree}" -p "$root" -m main) || return 2
  other=$(git commit-tree "HEAD^{tree}" -p "$root" -m change) || return 2
  tree=$(git merge-tree --write-tree "$one" "$other") || return
  git commit-tree "${tree%%$'\n'*}" -p "$main" -m single || return 2
}
change=$(separated)
case $? in
  0) ;;
  1) finish 0 'this change conflicts with the branch without those before it in the queue, and was not compared: diff compares it with them' ;;
  129) finish 2 'git cannot merge without a checkout: git 2.38 or newer is needed' ;;
  *) finish 2 'git failed to separate the change from those before it in the queue: the log says why' ;;
esac

path=""
while IFS= read -r line; do
  [ -n "$line" ] || continue
  [ -z "$path" ] || finish 2 'a merge takes one path: name several under "policies" in the configuration, or give a glob'
  path="$line"
done <<< "${GRANTWISE_PATHS:-}"
if [ -n "${GRANTWISE_BASE:-}" ]; then
  trust_base "$GRANTWISE_BASE" "$temporary" "${GRANTWISE_CONFIG_FILE:-}" || finish 2 'the configuration of the base is not known: the log says why'
fi
arguments=(diff --merge --format markdown)
[ -n "${GRANTWISE_CONFIG_FILE:-}" ] && arguments+=(--config "$GRANTWISE_CONFIG_FILE")
for commit in "$main" "$queued" "$change"; do arguments+=("git:$commit${path:+:$path}"); done
node "$GRANTWISE_BIN" "${arguments[@]}" > "$temporary/merge.md"
code=$?
cat "$temporary/merge.md"
if [ "${GRANTWISE_SUMMARY:-true}" = true ]; then cat "$temporary/merge.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"; fi
if [ "$code" = 1 ]; then report warning 'this change and those before it in the queue grant together what neither grants by itself'; fi
echo "together-exit-code=$code" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$code"
