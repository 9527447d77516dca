#!/bin/sh
# blends.sh: the names of blend modes are those of src/base/blends.h, in its order, wherever they stand in other languages.
# Prints TAP.
. "$(dirname "$0")/tap.sh"
top=$(dirname "$0")/../..
wanted=$(sed -n 's/^ *X([A-Z_]*, [a-z_]*, "\([a-z-]*\)".*/\1/p' "$top/src/base/blends.h")

# names_in FILE: from "normal" on, as many names in quotes as there are, however they are spread over lines.
names_in() {
  tr '\n' ' ' <"$top/$1" | grep -oE "['\"]normal['\"],? *\|? *['\"]multiply['\"].*" | grep -oE "['\"][a-z-]+['\"]" | tr -d "'\"" |
    head -n "$(echo "$wanted" | wc -l)"
}
check 'there are modes' [ "$(echo "$wanted" | wc -l)" -gt 16 ]
for file in web/npm/handle.js web/npm/index.d.ts python/src/arguments.c python/stijl/_stijl.pyi; do
  check "$file" same "$(names_in $file)" "$wanted"
done
plan
