#!/bin/sh
# symbols.sh READELF LIBRARY SOURCES: what the public headers declare, what src/libstijl.map lists, and what the shared library
# exports are the same names, each in the version of the map. Prints TAP.
. "$(dirname "$0")/unit/tap.sh"
LC_ALL=C
export LC_ALL

# Functions with STIJL_API, also where it stands in a line of its own or the name begins the next.
cat "$3"/include/stijl/*.h | tr '\n' ' ' | grep -oE 'STIJL_API [^;(]*\(' | grep -oE 'stijl_[a-z0-9_]+ *\($' | tr -d ' (' |
  sort >"$folder/declared"
# name version
awk '/^STIJL_[0-9.]+ *{/ { version = $1 } /^ *stijl_[a-z0-9_]+;$/ { sub(/;/, "", $1); print $1, version }' \
  "$3/src/libstijl.map" | sort >"$folder/listed"
cut -d' ' -f1 "$folder/listed" >"$folder/listed.names"
"$1" -W --dyn-syms "$2" | awk '$1 ~ /^[0-9]+:$/ && $7 != "UND" && $7 != "ABS" && $8 ~ /./ && $5 != "LOCAL" { sub(/@@*/, " ", $8); print $8 }' |
  grep -vE '^_*(asan|odr_asan|ubsan|tsan|lsan)' | sort >"$folder/exported"

# only A B WORDS: fails, with each line that is in A and not in B, and what to do.
only() {
  comm -23 "$1" "$2" | sed "s/.*/&: $3/" >"$folder/only"
  cat "$folder/only"
  [ ! -s "$folder/only" ]
}
check 'there are functions' grep -qx stijl_render "$folder/declared"
check 'no name is listed twice' eval '[ -z "$(uniq -d "$folder/listed.names")" ]'
check 'the map has every function of the headers' only "$folder/declared" "$folder/listed.names" \
  'new: add it to the block of the coming version in src\/libstijl.map (docs\/packaging.md, "The interface")'
check 'the headers have every function of the map' only "$folder/listed.names" "$folder/declared" \
  'no longer declared: programs need it, so keep it, or give the library a new SONAME (docs\/packaging.md)'
check 'the library has every function of the map, in its version' only "$folder/listed" "$folder/exported" \
  'not exported so: define it in every build, with options off by a function that fails (docs\/packaging.md)'
check 'the library exports nothing else' only "$folder/exported" "$folder/listed" \
  'not for export: see src\/libstijl.map and docs\/packaging.md'
plan
