#!/bin/sh
# symbols.sh READELF SOURCES LIBRARY LAB: what the public headers declare, what src/libstijl.map lists, and what the
# shared library exports are the same names, each in the version of the map; likewise for libstijl-lab, whose header is
# stijl/lab.h. What libstijl exports for it alone is what it calls. Prints TAP.
. "$(dirname "$0")/unit/tap.sh"
LC_ALL=C
export LC_ALL

# Functions with STIJL_API, also where it stands in a line of its own or the name begins the next.
declared() {
  cat "$@" | tr '\n' ' ' | grep -oE 'STIJL_API [^;(]*\(' | grep -oE 'stijl_[a-z0-9_]+ *\($' | tr -d ' (' | sort
}
# symbols LIBRARY TEST: those that are defined, or not, as awk's TEST of the section says: name version
symbols() {
  "$readelf" -W --dyn-syms "$1" |
    awk '$1 ~ /^[0-9]+:$/ && $7 '"$2"' "UND" && $7 != "ABS" && $8 ~ /./ && $5 != "LOCAL" {
      sub(/@@*/, " ", $8)
      print $8
    }' |
    grep -vE '^_*(asan|odr_asan|ubsan|tsan|lsan)' | sort
}
# only A B WORDS: fails, with each line that is in A and not in B, and what to do.
only() {
  comm -23 "$1" "$2" | sed "s|.*|&: $3|" >"$folder/only"
  cat "$folder/only"
  [ ! -s "$folder/only" ]
}
# look NAME LIBRARY HEADER...: checks a library against src/NAME.map and its headers
look() {
  name=$1 library=$2
  shift 2
  declared "$@" >"$folder/declared"
  # name version
  awk '/^STIJL_[A-Z0-9_.]+ *{/ { version = $1 } /^ *s(tijl|j)_[a-z0-9_]+;$/ { sub(/;/, "", $1); print $1, version }' \
    "$sources/src/$name.map" | sort >"$folder/listed"
  grep '^stijl_' "$folder/listed" >"$folder/listed.public"
  cut -d' ' -f1 "$folder/listed.public" >"$folder/listed.names"
  symbols "$library" '!=' >"$folder/exported"
  check "$name: there are functions" test -s "$folder/declared"
  check "$name: no name is listed twice" eval '[ -z "$(cut -d" " -f1 "$folder/listed" | uniq -d)" ]'
  check "$name: the map has every function of the headers" only "$folder/declared" "$folder/listed.names" \
    "new: add it to the block of the coming version in src/$name.map (docs/packaging.md, \"The interface\")"
  check "$name: the headers have every function of the map" only "$folder/listed.names" "$folder/declared" \
    'no longer declared: programs need it, so keep it, or give the library a new SONAME (docs/packaging.md)'
  check "$name: the library has every function of the map, in its version" only "$folder/listed.public" \
    "$folder/exported" \
    'not exported so: define it in every build, with options off by a function that fails (docs/packaging.md)'
  check "$name: the library exports nothing else" only "$folder/exported" "$folder/listed" \
    "not for export: see src/$name.map and docs/packaging.md"
}

readelf=$1 sources=$2
look libstijl-lab "$4" "$sources/include/stijl/lab.h"
look libstijl "$3" $(ls "$sources"/include/stijl/*.h | grep -v /lab.h)
if grep -q '^sj_vk_open ' "$folder/exported"; then
  symbols "$4" '==' | grep '^sj_' | cut -d' ' -f1 >"$folder/called"
  grep '^sj_' "$folder/listed" | cut -d' ' -f1 >"$folder/private"
  check 'what is exported for the lab alone is what it calls' only "$folder/private" "$folder/called" \
    'not called: take it out of src/libstijl.map, and SJ_SHARED from its declaration (src/base/shared.h)'
else
  skip 'what is exported for the lab alone is what it calls' 'built without Vulkan'
fi
plan
