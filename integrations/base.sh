#!/usr/bin/env bash
# What the scripts for build servers know of the commit that a change starts from. To be sourced; needs a repository.

# Whether git holds a commit.
has_commit() {
  git rev-parse --quiet --verify --end-of-options "$1^{commit}" > /dev/null 2>&1
}

# Fetch one commit, branch or tag, and no more history than there is here. What it came to is FETCH_HEAD.
fetch_one() {
  # Not what git would take for an option, or for an order to move a branch.
  case "$1" in
    -* | +* | *:* | *'*'* | "") return 1 ;;
  esac
  local command=(git fetch --quiet --no-tags --no-recurse-submodules)
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then command+=(--depth=1); fi
  GIT_TERMINAL_PROMPT=0 "${command[@]}" origin "$1"
}

# A change cannot switch off its own checks: configuration, and the files that are named, are those of the commit.
# trust_base COMMIT [FILE...]
trust_base() {
  local base="$1" top prefix file named
  shift
  has_commit "$base" || fetch_one "$base" || {
    echo "grantwise: the base commit cannot be fetched: its configuration is not known" >&2
    return 2
  }
  top=$(git rev-parse --show-toplevel) || return 2
  prefix=$(git rev-parse --show-prefix)
  while IFS= read -r file; do
    # Not through a link that the change may have put there.
    rm -f -- "$top/$file"
    if git cat-file -e "$base:$file" 2>/dev/null; then
      mkdir -p -- "$(dirname -- "$top/$file")" && git cat-file blob "$base:$file" > "$top/$file" || return 2
    fi
  done < <({
    git ls-files --full-name --cached --others -- ':(top,glob)**/.grantwise.yaml' ':(top,glob)**/.grantwise.yml' ':(top,glob)**/.grantwise.json'
    git ls-tree -r --name-only --full-tree "$base" | grep -E '(^|/)\.grantwise\.(yaml|yml|json)$'
    for named in "$@"; do
      [ -n "$named" ] && printf '%s%s\n' "$prefix" "$named"
    done
  } | sort -u)
}
