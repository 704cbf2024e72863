#!/usr/bin/env bash
# Source this file: sets GRANTWISE_BIN to the program beside these scripts, unless it is set, and `coverage` to the option that
# makes reports say what was read. Earlier versions, which `version` may name, do not have it.
if [ -z "${GRANTWISE_BIN:-}" ]; then
  GRANTWISE_BIN=$(GITHUB_OUTPUT='' bash "$(dirname "${BASH_SOURCE[0]}")/install.sh") || exit 2
  GRANTWISE_BIN="${GRANTWISE_BIN#bin=}"
fi
# shellcheck disable=SC2034
case "$(node "$GRANTWISE_BIN" diff --help 2> /dev/null)" in *' --coverage '*) coverage=--coverage ;; *) coverage='' ;; esac

# A new folder for temporary files, outside of the repository: what is in the checkout would be taken for part of the change.
scratch_folder() {
  local parent folder top
  top=$(git rev-parse --show-toplevel 2> /dev/null) && top=$(cd -- "$top" && pwd -P) || top=''
  for parent in "${RUNNER_TEMP:-}" "${TMPDIR:-}" /tmp; do
    [ -n "$parent" ] || continue
    folder=$(mktemp -d "$parent/grantwise-XXXXXX" 2> /dev/null) || continue
    case "$(cd -- "$folder" && pwd -P)/" in
      "${top:-/dev/null}"/*) rm -rf -- "$folder" ;;
      *)
        printf '%s' "$folder"
        return 0
        ;;
    esac
  done
  echo "grantwise: RUNNER_TEMP, TMPDIR and /tmp are no folders outside of the repository that can be written: set TMPDIR to one" >&2
  return 2
}
