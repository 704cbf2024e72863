#!/usr/bin/env bash
# Reports on a build server the access that a change adds and removes: in the log, as annotations, a job summary, a report
# and outputs. All settings are GRANTWISE_* variables (see action.yml), which are never evaluated.
#
#   GRANTWISE_DIFF_BASE     what to compare with: a commit, branch or tag; empty or zeros: nothing
#   GRANTWISE_BASE_BRANCH   the branch to fetch if the server gives out no single commits
#   GRANTWISE_TARGET        the branch that the change will be merged into, where GRANTWISE_DIFF_BASE is the commit that it starts from
#   GRANTWISE_EVENT_HEAD    the last commit of a pull request: HEAD, or the commit that HEAD merges into the base
#   GRANTWISE_BASE          the commit that configuration and ceiling come from; empty: the change
#   GRANTWISE_PATHS         one file, folder or glob; empty: `policies` of the configuration
#   GRANTWISE_ACCESS_FAIL_ON, GRANTWISE_CEILING, GRANTWISE_CONFIG_FILE   as the options of `diff`
#   GRANTWISE_MARKDOWN, GRANTWISE_CODE_QUALITY   additional files to write
set -uo pipefail
# shellcheck source=integrations/program.sh
. "$(dirname "${BASH_SOURCE[0]}")/program.sh"
# shellcheck source=integrations/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
temporary=$(scratch_folder) || exit 2
trap 'rm -rf -- "$temporary"' EXIT

# finish CODE [MESSAGE]: exit with a code, and the reason for people.
finish() {
  local code="$1" message="${2:-}"
  if [ -n "$message" ]; then echo "grantwise: $message" >&2; fi
  if [ "${GRANTWISE_SUMMARY:-true}" = true ]; then
    {
      if [ "$code" = 2 ]; then printf '## grantwise diff: no answer\n\n%s\n' "${message:-The log says why.}"; fi
      if [ -f "$temporary/diff.md" ]; then cat "$temporary/note.md" "$temporary/diff.md"; fi
    } >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
  fi
  {
    echo "access-exit-code=$code"
    if [ -f "$temporary/diff.json" ]; then
      # shellcheck disable=SC2016
      node -e '
        const { verdict, gained, lost, beyond = [] } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))
        console.log(`access-verdict=${verdict}\ngained=${gained.length}\nlost=${lost.length}\nbeyond=${beyond.length}`)
      ' "$temporary/diff.json"
    else
      echo 'access-verdict=none'
    fi
    if [ -n "${compared:-}" ]; then echo "access-base=$compared"; fi
  } >> "${GITHUB_OUTPUT:-/dev/null}"
  exit "$code"
}

if [ -n "${GRANTWISE_MARKDOWN:-}" ]; then rm -f -- "$GRANTWISE_MARKDOWN"; fi
git rev-parse --git-dir > /dev/null || finish 2 'a difference needs the git repository: check it out first'
: > "$temporary/note.md"
note() {
  echo "grantwise: $1"
  printf '> %s\n\n' "$1" >> "$temporary/note.md"
}

# merged_tree OURS THEIRS: the tree that merges two commits; fails where they conflict, or git is older than 2.38. Attributes of the change
# have no say: by them it could conflict here, and not where it is merged.
merged_tree() {
  local ours theirs repository
  ours=$(git rev-parse "$1^{commit}") && theirs=$(git rev-parse "$2^{commit}") && repository=$(git rev-parse --absolute-git-dir) || return 1
  mkdir -p "$temporary/none"
  (
    cd "$temporary/none" || exit 1
    export GIT_DIR="$repository" GIT_WORK_TREE="$temporary/none" GIT_INDEX_FILE="$temporary/none.index"
    git merge-tree --write-tree "$ours" "$theirs" 2> /dev/null
  )
}

# merge_of OURS THEIRS: a commit that merges two, of no branch.
merge_of() {
  local tree
  tree=$(merged_tree "$1" "$2") || return 1
  GIT_AUTHOR_NAME=grantwise GIT_AUTHOR_EMAIL=grantwise GIT_COMMITTER_NAME=grantwise GIT_COMMITTER_EMAIL=grantwise \
    git commit-tree "$tree" -p "$1" -p "$2" -m merge 2> /dev/null
}

# A pull request is compared as it would be merged, so that later commits of the base branch are no part of it.
base="${GRANTWISE_DIFF_BASE:-}"
head="${GRANTWISE_EVENT_HEAD:-}"
case "$base" in *[!0]*) ;; *) base="" ;; esac
merged=false
if [ -n "$base" ] && [ -n "$head" ]; then
  { read -r first; read -r second; } < <(git cat-file -p HEAD | sed -n '/^$/q; s/^parent //p')
  if [ "${second:-}" = "$head" ]; then base="$first" merged=true; fi
fi
if [ -n "$base" ]; then
  found=$(exact_commit "$base")
  case $? in
    0) base="$found" ;;
    2) finish 2 'the commit to compare with is ambiguous: the log says why' ;;
    *)
      if fetch_named "$base" || fetch_branch "${GRANTWISE_BASE_BRANCH:-}"; then
        # The commit itself, where the branch brought it along.
        if is_hash "$base" && has_commit "$base"; then :; else base=FETCH_HEAD; fi
        base=$(exact_commit "$base") || finish 2 'the commit to compare with is not known'
      else
        finish 2 'the commit to compare with is not in this checkout and cannot be fetched: check out more of the history (fetch-depth: 0), or leave its credentials to the checkout'
      fi
      ;;
  esac
fi
after=HEAD
if [ -n "$base" ] && [ -n "$head" ] && [ "$merged" = false ]; then
  if before=$(git merge-base "$base" HEAD); then
    # What merging the change would give: what the base took away since may be there again, where the change has a copy of it.
    if [ "$before" != "$(git rev-parse "$base^{commit}")" ] && after=$(merge_of "$base" HEAD); then
      note 'Compared with the base as the change would be merged into it now.'
    else
      base="$before" after=HEAD
    fi
  else
    note 'Compared with the tip of the base, as this checkout does not hold where the change left it (fetch-depth: 0 would): what happened there since seems undone.'
  fi
fi

# Where only the commit is known that the change starts from: what the branch took away since may be there again. The trees are enough, as
# a shallow checkout does not hold how they are related.
merge_from() {
  local root one other tree
  root=$(made_of "$1" -m start) && one=$(made_of "$2" -p "$root" -m target) && other=$(made_of HEAD -p "$root" -m change) || return 1
  tree=$(merged_tree "$one" "$other") || return 1
  made_of "$tree" -p "$2" -p HEAD -m merge
}
made_of() {
  local of="$1"
  shift
  GIT_AUTHOR_NAME=grantwise GIT_AUTHOR_EMAIL=grantwise GIT_COMMITTER_NAME=grantwise GIT_COMMITTER_EMAIL=grantwise \
    git commit-tree "$of^{tree}" "$@" 2> /dev/null
}
if [ -n "$base" ] && [ -n "${GRANTWISE_TARGET:-}" ]; then
  if fetch_branch "$GRANTWISE_TARGET" && tip=$(exact_commit FETCH_HEAD); then
    if [ "$tip" = "$base" ]; then :; elif after=$(merge_from "$base" "$tip"); then
      base="$tip"
      note 'Compared with the base as the change would be merged into it now.'
    else
      after=HEAD
      note 'Compared with where the change starts, as it conflicts with the branch that it will be merged into.'
    fi
  else
    echo 'grantwise: the branch that the change will be merged into cannot be fetched: compared with where the change starts' >&2
  fi
fi

compared="$base"

path=""
while IFS= read -r line; do
  [ -n "$line" ] || continue
  [ -z "$path" ] || finish 2 'a difference takes one path: name several under "policies" in the configuration, or give a glob'
  path="$line"
done <<< "${GRANTWISE_PATHS:-}"

trusted=''
if [ -n "${GRANTWISE_BASE:-}" ]; then
  trust_base "$GRANTWISE_BASE" "$temporary" "${GRANTWISE_CONFIG_FILE:-}" || finish 2 'the configuration of the base is not known: the log says why'
fi

arguments=(diff ${coverage:+"$coverage"} --format "pretty=$temporary/diff.txt" --format "json=$temporary/diff.json" --format "markdown=$temporary/diff.md")
[ "${GRANTWISE_ANNOTATIONS:-true}" = true ] && arguments+=(--format "github=$temporary/annotations")
[ -n "${GRANTWISE_CODE_QUALITY:-}" ] && arguments+=(--format "gitlab=$GRANTWISE_CODE_QUALITY")
[ -n "${GRANTWISE_CONFIG_FILE:-}" ] && arguments+=(--config "$GRANTWISE_CONFIG_FILE")
[ -n "${GRANTWISE_ACCESS_FAIL_ON:-}" ] && arguments+=(--fail-on "$GRANTWISE_ACCESS_FAIL_ON")
if [ -n "${GRANTWISE_CEILING:-}" ]; then
  # A change cannot lift its own ceiling. If the base has none yet, that of the change is used.
  ceiling="${GRANTWISE_CEILING%/}"
  if [ -n "$trusted" ]; then
    case "$ceiling" in
      git:*) ;;
      *['*?[{']*) ceiling="git:$trusted:$ceiling" ;;
      *)
        place=$(in_repository "$ceiling")
        if git cat-file -e "$trusted:$place" 2> /dev/null; then
          ceiling="git:$trusted:$ceiling"
        else
          report warning "$ceiling: new in this change, and not in the base: it is used as it is, so review it"
        fi
        ;;
    esac
  fi
  arguments+=(--ceiling "$ceiling")
fi
if [ -z "$base" ]; then
  note 'There is no commit to compare with: all access is new.'
  mkdir "$temporary/nothing"
  arguments+=(-- "$temporary/nothing" "git:HEAD${path:+:$path}")
else
  arguments+=(-- "git:$base${path:+:$path}" "git:$after${path:+:$path}")
fi

node "$GRANTWISE_BIN" "${arguments[@]}"
code=$?
for file in diff.txt annotations; do
  if [ -f "$temporary/$file" ]; then cat "$temporary/$file"; fi
done
if [ -n "${GRANTWISE_MARKDOWN:-}" ] && [ -f "$temporary/diff.md" ]; then
  cat "$temporary/note.md" "$temporary/diff.md" > "$GRANTWISE_MARKDOWN" || finish 2 'the report cannot be written'
fi
finish "$code"
