#!/usr/bin/env bash
# Functions for the commit that a change starts from. Source this file in a repository.

# Whether git holds a commit.
has_commit() {
  git rev-parse --quiet --verify --end-of-options "$1^{commit}" > /dev/null 2>&1
}

# Fetch one commit, branch or tag into FETCH_HEAD, without more history than the checkout has.
fetch_one() {
  # Refuse options and refspecs.
  case "$1" in
    -* | +* | *:* | *'*'* | "") return 1 ;;
  esac
  local command=(git fetch --quiet --no-tags --no-recurse-submodules)
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then command+=(--depth=1); fi
  GIT_TERMINAL_PROMPT=0 "${command[@]}" origin "$1"
}

# report LEVEL TEXT: a line in the log, or an annotation. LEVEL: notice, warning.
report() {
  local level="$1" text
  # File names may contain control characters.
  text=$(printf '%s' "$2" | tr '[:cntrl:]' '?')
  if [ "${GITHUB_ACTIONS:-}" = true ] && [ "${GRANTWISE_ANNOTATIONS:-true}" = true ]; then
    echo "::$level title=grantwise::${text//%/%25}"
  else
    echo "grantwise: $text" >&2
  fi
}

# An absolute path; the file need not exist.
absolute() {
  node -e 'process.stdout.write(require("node:path").resolve(process.argv[1]))' -- "$1"
}

# A path relative to the top of the repository; `../` leads out of it.
in_repository() {
  node -e '
    const { relative, resolve, sep } = require("node:path")
    process.stdout.write(relative(process.argv[1], resolve(process.argv[2])).split(sep).join("/"))
  ' -- "$(git rev-parse --show-toplevel)" "$1"
}

# The folder of a path as a prefix: `a/b/`, or nothing for the top.
folder_of() {
  case "$1" in */*) printf '%s/' "${1%/*}" ;; esac
}

# matching EXPRESSION: of the NUL-terminated names on standard input those that match. Not every `grep` reads such names.
matching() {
  node -e '
    const names = require("node:fs").readFileSync(0, "latin1").split("\0")
    const found = names.filter((name) => name !== "" && new RegExp(process.argv[1]).test(name))
    process.stdout.write(Buffer.from(found.map((name) => name + "\0").join(""), "latin1"))
  ' -- "$1"
}

# configuration_files COMMIT FOLDER [FILE...]: the configurations of a commit and what they extend, NUL-terminated.
# FOLDER is for temporary files.
configuration_files() {
  local base="$1" tree="$2/tree" top bin file
  shift 2
  top=$(git rev-parse --show-toplevel) && bin=$(absolute "$GRANTWISE_BIN") && mkdir -p -- "$tree/.git" || return 2
  # Read the configurations of the commit, not of the change.
  git ls-tree -r -z --name-only --full-tree "$base" | matching '\.(ya?ml|json)$' > "$tree.names"
  GIT_INDEX_FILE="$tree.index" git read-tree "$base" &&
    (cd "$top" && GIT_INDEX_FILE="$tree.index" git checkout-index --force -z --stdin --prefix="$tree/" < "$tree.names") || return 2
  # Installed packages may be extended, and are in no commit.
  if [ -d "$top/node_modules" ] && [ ! -e "$tree/node_modules" ]; then ln -s -- "$top/node_modules" "$tree/node_modules"; fi
  for file in "$@"; do
    printf '%s\0' "$file"
    # An invalid configuration is reported by the run itself.
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

# is_governed FILE [OTHER...]: whether a configuration applies to some of the files of another one.
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

# A change cannot switch off its own checks: configurations and named files come from the commit.
#
#   in the commit                          that of the commit is used
#   only in the change, where a            not used until it is merged: it could lift the checks
#   configuration of the commit applies
#   only in the change, elsewhere          used, with a warning to review it
#
# trust_base COMMIT FOLDER CONFIGURATION [FILE...]: FOLDER is for temporary files; the configuration, which may be '', and
# the files are relative to the working folder.
trust_base() {
  local base="$1" scratch="$2" config="$3" top file
  local -a known=() named=() own=()
  shift 3
  if ! has_commit "$base" && ! fetch_one "$base"; then
    # The tip of the branch is as trustworthy.
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
  done < <(git ls-tree -r -z --name-only --full-tree "$base" | matching '(^|/)\.grantwise\.(yaml|yml|json)$')
  for file in "$config" "$@"; do
    if [ -n "$file" ]; then named+=("$(in_repository "$file")"); fi
  done

  # Files in the commit.
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
    # Never write through a link.
    if [ ! -L "$top/$file" ] && git cat-file blob "$base:$file" | cmp -s - "$top/$file"; then continue; fi
    report notice "$file: this change alters it; what the base says counts until it is merged"
    rm -f -- "$top/$file"
    mkdir -p -- "$(dirname -- "$top/$file")" && git cat-file blob "$base:$file" > "$top/$file" || return 2
  done < <(sort -zu "$scratch/restored")

  # Files only in the change.
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
