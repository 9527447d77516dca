#!/bin/sh
# names.sh: what has names in other languages than C has them all: blend modes (src/base/blends.h), instruction sets
# (include/stijl/render.h), primitives of filters (include/stijl/filter.h), kinds of paints (include/stijl/scene.h).
# tests/wasm/npm.test.mjs compares the package's other names with the headers. Prints TAP.
. "$(dirname "$0")/tap.sh"
top=$(dirname "$0")/../..

# names_in FILE FIRST SECOND COUNT: as many words in quotes, from FIRST and SECOND on, however they are spread over
# lines.
names_in() {
  tr '\n' ' ' <"$top/$1" | grep -oE "['\"]$2['\"],? *\|? *['\"]$3['\"].*" | grep -oE "['\"][a-z0-9-]+['\"]" |
    tr -d "'\"" |
    head -n "$4"
}
# enum_of FILE PREFIX: the rest of the names of an enumeration's constants.
enum_of() { sed -nE "s/^ *STIJL_$2_([A-Z0-9_]+),?( .*|$)/\1/p" "$top/include/stijl/$1"; }

wanted=$(sed -n 's/^ *X([A-Z_]*, [a-z_]*, "\([a-z-]*\)".*/\1/p' "$top/src/base/blends.h")
count=$(echo "$wanted" | wc -l)
check 'there are modes' [ "$count" -gt 16 ]
for file in web/npm/handle.js web/npm/index.d.ts python/src/arguments.c python/stijl/_stijl.pyi; do
  check "blend modes in $file" same "$(names_in $file normal multiply "$count")" "$wanted"
done

wanted=$(enum_of render.h ISA | tr 'A-Z' 'a-z')
count=$(echo "$wanted" | wc -l)
check 'there are instruction sets' [ "$count" -gt 6 ]
for file in web/npm/handle.js python/src/arguments.c python/stijl/_stijl.pyi; do
  check "instruction sets in $file" same "$(names_in $file auto scalar "$count")" "$wanted"
done
# The command is in no browser.
words=$(sed -n 's/^#define CLI_ISA_WORDS "\(.*\)"/\1/p' "$top/cli/command.h" | tr ' ' '\n')
check 'instruction sets in cli/command.h' same "$words" "$(echo "$wanted" | grep -v wasm)"

wanted=$(sed -nE 's/^STIJL_API int (stijl_filter_[a-z_]*)\(stijl_filter \*filter, const stijl_filter_options.*/\1/p' \
  "$top/include/stijl/filter.h" | sort)
check 'there are primitives' [ "$(echo "$wanted" | wc -l)" -gt 19 ]
calls() { grep -oE 'stijl_filter_[a-z_]*\((f|filter), ' "$top/$1" | sed 's/(.*//' | sort -u; }
lacks() { echo "$wanted" | grep -vxF "$(calls "$1")"; }
check 'primitives in python/src/filter.c' same "$(lacks python/src/filter.c)" ''
check 'primitives in web/module/filter.c, which draws no backdrops' same \
  "$(lacks web/module/filter.c)" stijl_filter_backdrop

wanted=$(enum_of scene.h PAINT)
check 'there are paints' [ "$(echo "$wanted" | wc -l)" -gt 5 ]
for kind in $wanted; do
  check "paint $kind in python/src/paint.c" grep -q "STIJL_PAINT_$kind)" "$top/python/src/paint.c"
done
plan
