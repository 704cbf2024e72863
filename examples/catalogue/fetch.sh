#!/bin/sh
# Downloads the API descriptions that an index lists: sh fetch.sh https://eu.api.example/1.0 api
# It stops at the first that cannot be downloaded: a catalogue of the rest would lack actions.
set -eu

base=${1:?the address of the index, such as https://eu.api.example/1.0}
folder=${2:?the folder for the descriptions}

index=$(curl --fail --silent --show-error --location --max-time 60 "$base/")
paths=$(printf '%s' "$index" | jq --exit-status --raw-output '.apis[].path')
mkdir -p "$folder"
for path in $paths; do
  case $path in
    /*..* | /*[!A-Za-z0-9/_-]*) echo "$base/: the index lists the path $path, which is not downloaded" >&2; exit 1 ;;
    /?*) ;;
    *) echo "$base/: the index lists $path, expected a path such as /vps" >&2; exit 1 ;;
  esac
  name=$(printf '%s' "${path#/}" | tr / _)
  curl --fail --silent --show-error --location --max-time 60 "$base$path.json" --output "$folder/$name.json"
done
