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

# Report something besides the findings: in the log, and as an annotation where these are read. LEVEL: notice, warning.
report() {
  local level="$1" text
  # A name of a file may hold anything.
  text=$(printf '%s' "$2" | tr '[:cntrl:]' '?')
  if [ "${GITHUB_ACTIONS:-}" = true ] && [ "${GRANTWISE_ANNOTATIONS:-true}" = true ]; then
    echo "::$level title=grantwise::${text//%/%25}"
  else
    echo "grantwise: $text" >&2
  fi
}

# A path from the root of the file system; the file need not be there.
absolute() {
  node -e 'process.stdout.write(require("node:path").resolve(process.argv[1]))' -- "$1"
}

# A path as git knows it, from the top of the repository; one that leads out of it begins with `../`.
in_repository() {
  node -e '
    const { relative, resolve, sep } = require("node:path")
    process.stdout.write(relative(process.argv[1], resolve(process.argv[2])).split(sep).join("/"))
  ' -- "$(git rev-parse --show-toplevel)" "$1"
}

# The folder of a path as a prefix of what is in it: `a/b/`, and nothing for the top.
folder_of() {
  case "$1" in */*) printf '%s/' "${1%/*}" ;; esac
}

# The files that configurations of a commit are made of, with what they extend: a list ended by NUL bytes.
# configuration_files COMMIT FOLDER [FILE...]: FOLDER is for what has to be written on the way.
configuration_files() {
  local base="$1" tree="$2/tree" top bin file
  shift 2
  top=$(git rev-parse --show-toplevel) && bin=$(absolute "$GRANTWISE_BIN") && mkdir -p -- "$tree/.git" || return 2
  # The configurations are read as they are in the commit, whatever the change made of them.
  git ls-tree -r -z --name-only --full-tree "$base" | grep -zE '\.(ya?ml|json)$' > "$tree.names"
  GIT_INDEX_FILE="$tree.index" git read-tree "$base" &&
    (cd "$top" && GIT_INDEX_FILE="$tree.index" git checkout-index --force -z --stdin --prefix="$tree/" < "$tree.names") || return 2
  # What is installed belongs to no commit, and may be extended.
  if [ -d "$top/node_modules" ] && [ ! -e "$tree/node_modules" ]; then ln -s -- "$top/node_modules" "$tree/node_modules"; fi
  for file in "$@"; do
    printf '%s\0' "$file"
    # Of a configuration that cannot be used the run itself says why.
    (cd "$tree" && node "$bin" lint --config "$file" --print-config "$(folder_of "$file")-.yaml" 2> /dev/null) |
      node -e '
        let text = ""
        process.stdin.on("data", (part) => { text += part }).on("end", () => {
          if (text === "") return
          for (const file of JSON.parse(text).configurations) if (!file.startsWith("../")) process.stdout.write(`${file}\0`)
        })
      '
  done
}

# Whether a configuration in a folder of the first list decides over what one of the second file decides over.
is_governed() {
  local folder other
  folder=$(folder_of "$1")
  shift
  for other in "$@"; do
    other=$(folder_of "$other")
    case "$folder" in "$other"*) return 0 ;; esac
    case "$other" in "$folder"*) return 0 ;; esac
  done
  return 1
}

# A change cannot switch off its own checks: configurations, and the files that are named, are those of the commit.
#
#   in the commit                     that of the commit counts, whatever the change made of it
#   in the change alone, where a      not used until it is merged: it could take back what holds there
#   configuration of the commit holds
#   in the change alone, elsewhere    used, with a warning: somebody has to review it
#
# trust_base COMMIT FOLDER CONFIGURATION [FILE...]: FOLDER is for what has to be written on the way; the configuration, which
# may be '', and the files are named relative to the working folder.
trust_base() {
  local base="$1" scratch="$2" config="$3" top file
  local -a known=() named=() own=()
  shift 3
  if ! has_commit "$base" && ! fetch_one "$base"; then
    # Where the branch is now is as good: nobody but its owners writes there.
    if ! fetch_one "${GRANTWISE_BASE_BRANCH:-}"; then
      echo "grantwise: the base commit cannot be fetched: its configuration is not known" >&2
      return 2
    fi
    has_commit "$base" || base=$(git rev-parse --verify 'FETCH_HEAD^{commit}') || return 2
  fi
  top=$(git rev-parse --show-toplevel) || return 2
  in_base() { git cat-file -e "$base:$1" 2> /dev/null; }
  while IFS= read -r -d '' file; do
    known+=("$file")
  done < <(git ls-tree -r -z --name-only --full-tree "$base" | grep -zE '(^|/)\.grantwise\.(yaml|yml|json)$')
  for file in "$config" "$@"; do
    if [ -n "$file" ]; then named+=("$(in_repository "$file")"); fi
  done

  # What the commit has.
  {
    for file in ${named[@]+"${named[@]}"}; do printf '%s\0' "$file"; done
    if [ -n "$config" ] && in_base "${named[0]}"; then
      configuration_files "$base" "$scratch" ${known[@]+"${known[@]}"} "${named[0]}" || return 2
    elif [ ${#known[@]} -gt 0 ]; then
      configuration_files "$base" "$scratch" "${known[@]}" || return 2
    fi
  } > "$scratch/restored" || return 2
  while IFS= read -r -d '' file; do
    in_base "$file" || continue
    # A link is not written through, whatever it leads to.
    if [ ! -L "$top/$file" ] && git cat-file blob "$base:$file" | cmp -s - "$top/$file"; then continue; fi
    report notice "$file: this change alters it; what the base says counts until it is merged"
    rm -f -- "$top/$file"
    mkdir -p -- "$(dirname -- "$top/$file")" && git cat-file blob "$base:$file" > "$top/$file" || return 2
  done < <(sort -zu "$scratch/restored")

  # What only the change has.
  while IFS= read -r -d '' file; do
    if ! in_base "$file" && { [ -e "$top/$file" ] || [ -L "$top/$file" ]; }; then own+=("$file"); fi
  done < <(git ls-files -z --full-name --cached --others --exclude-standard -- ':(top,glob)**/.grantwise.yaml' ':(top,glob)**/.grantwise.yml' ':(top,glob)**/.grantwise.json' | sort -zu)
  for file in ${own[@]+"${own[@]}"}; do
    if is_governed "$file" ${known[@]+"${known[@]}"}; then
      report notice "$file: new in this change; it counts once it is merged, as a configuration of the base holds there"
      rm -f -- "$top/$file"
    else
      report warning "$file: new in this change, and the base has no configuration there: it is used as it is, so review it"
    fi
  done
  for file in ${named[@]+"${named[@]}"}; do
    if ! in_base "$file" && [ -e "$top/$file" ]; then
      report warning "$file: new in this change, and not in the base: it is used as it is, so review it"
    fi
  done
}
