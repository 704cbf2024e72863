#!/usr/bin/env bash
# Functions for the commit that a change starts from. Source this file in a repository.
integrations=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# A commit is what its hash says.
export GIT_NO_REPLACE_OBJECTS=1 GIT_GRAFT_FILE=/dev/null/none

# Whether git holds a commit.
has_commit() {
  git rev-parse --quiet --verify --end-of-options "$1^{commit}" > /dev/null 2>&1
}

# Whether a text is the whole hash of a commit.
is_hash() {
  case "$1" in *[!0-9a-f]* | "") return 1 ;; esac
  [ ${#1} -eq 40 ] || [ ${#1} -eq 64 ]
}

# exact_commit NAME: the hash of the commit that a name stands for here. 1: there is none; 2: there are several, of which git would
# silently take one, tags before branches.
exact_commit() {
  local name="$1" plain rest line ref commit found='' refs=() warned
  if ! is_hash "$name"; then
    plain="${name%%[~^@]*}" rest=''
    # `@` is part of a name where no `{` follows.
    case "$name" in *"@{"*) ;; *@*) plain="${name%%[~^]*}" ;; esac
    rest="${name#"$plain"}"
    case "$plain" in
      "" | HEAD | FETCH_HEAD) ;;
      *)
        while IFS= read -r line; do
          case "$line" in
            "$plain" | "refs/$plain" | "refs/heads/$plain" | "refs/tags/$plain" | "refs/remotes/$plain" | "refs/remotes/origin/$plain") refs+=("$line") ;;
          esac
        done < <(git for-each-ref --format='%(refname)')
        for ref in ${refs[@]+"${refs[@]}"}; do
          commit=$(git rev-parse --quiet --verify "$ref^{commit}") || continue
          if [ -n "$found" ] && [ "$commit" != "$found" ]; then
            echo "grantwise: \`$plain\` is ambiguous: ${refs[*]}: write the whole name of one of them" >&2
            return 2
          fi
          found="$commit" name="$ref$rest"
        done
        case "$plain" in
          *[!0-9a-f]*) ;;
          *)
            if [ -n "$found" ] && [ -n "$(git rev-parse --disambiguate="$plain" 2> /dev/null)" ]; then
              echo "grantwise: \`$plain\` is ambiguous: ${refs[*]}, and the beginning of a hash: write the whole name" >&2
              return 2
            fi
            ;;
        esac
        ;;
    esac
  fi
  warned=$(LC_ALL=C git rev-parse --verify --end-of-options "$name^{commit}" 2>&1 > /dev/null) || return 1
  case "$warned" in
    *"only goes back to"*)
      echo "grantwise: \`$1\` is before the reflog begins" >&2
      return 2
      ;;
  esac
  git rev-parse --quiet --verify --end-of-options "$name^{commit}"
}

# Fetch one commit, or one ref by its whole name, into FETCH_HEAD, without more history than the checkout has.
fetch_one() {
  # Refuse options and refspecs, and names that the server would look for in several places.
  case "$1" in
    -* | +* | *:* | *'*'* | "") return 1 ;;
    refs/*) ;;
    *) is_hash "$1" || return 1 ;;
  esac
  local command=(git fetch --quiet --no-tags --no-recurse-submodules)
  if [ "$(git rev-parse --is-shallow-repository)" = true ]; then command+=(--depth=1); fi
  GIT_TERMINAL_PROMPT=0 "${command[@]}" origin "$1"
}

# fetch_named NAME: a commit, or the branch or tag of a name, into FETCH_HEAD. 2: there is a branch and a tag.
fetch_named() {
  local name="$1" hash ref found='' first=''
  if is_hash "$name"; then fetch_one "$name"; return; fi
  case "$name" in
    refs/*) fetch_one "$name"; return ;;
    -* | +* | *[:*?[]* | "") return 1 ;;
    origin/*) name="${name#origin/}" ;;
  esac
  while read -r hash ref; do
    case "$ref" in "refs/heads/$name" | "refs/tags/$name") ;; *) continue ;; esac
    if [ -n "$found" ] && [ "$hash" != "$first" ]; then
      echo "grantwise: \`$name\` is ambiguous: the server has $found and $ref: write the whole name of one of them" >&2
      return 2
    fi
    found="$ref" first="$hash"
  done < <(GIT_TERMINAL_PROMPT=0 git ls-remote origin "refs/heads/$name" "refs/tags/$name")
  [ -n "$found" ] && fetch_one "$found"
}

# fetch_branch NAME: the tip of a branch, and no tag of its name.
fetch_branch() {
  [ -n "$1" ] && fetch_one "refs/heads/${1#refs/heads/}"
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

# configurations MODE COMMIT FOLDER FILE...: see configurations.mjs. FOLDER is for temporary files.
configurations() {
  local mode="$1" base="$2" tree="$3/tree"
  shift 3
  node "$integrations/configurations.mjs" "$mode" "$base" "$(git rev-parse --show-toplevel)" "$tree" "$(absolute "$GRANTWISE_BIN")" "$@"
}

# linked FILE: the folder above a file of the repository that is a link, or no folder. What is written or removed below it would be
# written or removed elsewhere.
linked() {
  local top="$1" path="$2" folder=''
  while [ "${path#*/}" != "$path" ]; do
    folder="$folder${path%%/*}" path="${path#*/}"
    if [ -L "$top/$folder" ] || { [ -e "$top/$folder" ] && [ ! -d "$top/$folder" ]; }; then
      printf '%s' "$folder"
      return 0
    fi
    folder="$folder/"
  done
  return 1
}

# removed TOP FILE: remove a file of the repository, never through a link.
removed() {
  local folder
  if folder=$(linked "$1" "$2"); then
    echo "grantwise: $2: \`$folder\` is a symbolic link or a file in this change: what is below it is not touched" >&2
    return 2
  fi
  rm -rf -- "${1:?}/$2"
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
# Where the configurations of the commit come to something else with the files of the change, as a file or a package that it adds is
# found before theirs, that file counts once it is merged, too.
#
# trust_base COMMIT FOLDER CONFIGURATION [FILE...]: sets `trusted` to the hash of the commit that is used. FOLDER is for temporary files; the configuration, which may be '', and
# the files are relative to the working folder.
trust_base() {
  local base="$1" scratch="$2" config="$3" top file folder
  local -a known=() named=() own=()
  shift 3
  trusted=''
  if ! has_commit "$base" && ! fetch_one "$base"; then
    # The tip of the branch is as trustworthy.
    if ! fetch_branch "${GRANTWISE_BASE_BRANCH:-}"; then
      echo "grantwise: the base commit cannot be fetched: its configuration is not known" >&2
      return 2
    fi
    has_commit "$base" || base=FETCH_HEAD
  fi
  if ! base=$(exact_commit "$base"); then
    echo "grantwise: the base commit is not known, and so its configuration is not" >&2
    return 2
  fi
  # shellcheck disable=SC2034 # for the scripts that source this one
  trusted="$base"
  top=$(git rev-parse --show-toplevel) || return 2
  in_base() { git cat-file -e "$base:$1" 2> /dev/null; }
  while IFS= read -r -d '' file; do
    known+=("$file")
  done < <(git ls-tree -r -z --name-only --full-tree "$base" | matching '(^|/)\.grantwise\.(yaml|yml|json)$')
  for file in "$config" "$@"; do
    if [ -n "$file" ]; then named+=("$(in_repository "$file")"); fi
  done

  # Files in the commit.
  local -a roots=(${known[@]+"${known[@]}"})
  if [ -n "$config" ] && in_base "${named[0]}"; then roots+=("${named[0]}"); fi
  : > "$scratch/restored"
  for file in ${named[@]+"${named[@]}"}; do printf '%s\0' "$file" >> "$scratch/restored"; done
  if [ ${#roots[@]} -gt 0 ]; then
    if ! configurations list "$base" "$scratch" "${roots[@]}" >> "$scratch/restored"; then
      echo "grantwise: the configuration of the base cannot be read" >&2
      return 2
    fi
  fi
  while IFS= read -r -d '' file; do
    in_base "$file" || continue
    # Never read or write through a link.
    if folder=$(linked "$top" "$file"); then
      echo "grantwise: $file: \`$folder\` is a symbolic link or a file in this change, and the base has a configuration there" >&2
      return 2
    fi
    if [ ! -L "$top/$file" ] && git cat-file blob "$base:$file" | cmp -s - "$top/$file"; then continue; fi
    report notice "$file: this change alters it; what the base says counts until it is merged"
    rm -rf -- "${top:?}/$file"
    if ! mkdir -p -- "$(dirname -- "$top/$file")" || ! git cat-file blob "$base:$file" > "$top/$file"; then
      echo "grantwise: $file: what the base says cannot be written" >&2
      return 2
    fi
  done < <(sort -zu "$scratch/restored")

  # Files only in the change.
  while IFS= read -r -d '' file; do
    if ! in_base "$file" && { [ -e "$top/$file" ] || [ -L "$top/$file" ]; }; then own+=("$file"); fi
  done < <(git ls-files -z --full-name --cached --others --exclude-standard -- ':(top,glob)**/.grantwise.yaml' ':(top,glob)**/.grantwise.yml' ':(top,glob)**/.grantwise.json' | sort -zu)
  for file in ${own[@]+"${own[@]}"}; do
    if is_governed "$file" ${known[@]+"${known[@]}"}; then
      report notice "$file: new in this change; it counts once it is merged, as a configuration of the base holds there"
      removed "$top" "$file" || return 2
    else
      report warning "$file: new in this change, and the base has no configuration there: it is used as it is, so review it"
    fi
  done
  for file in ${named[@]+"${named[@]}"}; do
    if ! in_base "$file" && [ -e "$top/$file" ]; then
      report warning "$file: new in this change, and not in the base: it is used as it is, so review it"
    fi
  done

  # What the change puts in the place of something that a configuration of the commit extends. Without it another one may be found.
  if [ ${#roots[@]} -eq 0 ]; then return 0; fi
  for _ in 1 2 3 4 5; do
    configurations compare "$base" "$scratch" "${roots[@]}" > "$scratch/added" || return 2
    [ -s "$scratch/added" ] || return 0
    while IFS= read -r -d '' file; do
      report notice "$file: new in this change, where a configuration of the base finds it; it counts once it is merged"
      removed "$top" "$file" || return 2
    done < "$scratch/added"
  done
  echo "grantwise: this change puts too much in the place of what configurations of the base extend" >&2
  return 2
}
