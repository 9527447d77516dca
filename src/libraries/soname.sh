#!/bin/sh
# soname.sh READELF NAME FOLDER COMPILER...: by which name libNAME.so of the folder, or else of the compiler's own, is
# opened.
readelf=$1 name=lib$2.so folder=$3
shift 3
file=$folder/$name
[ -e "$file" ] || file=$("$@" -print-file-name="$name")
"$readelf" -d "$file" 2>/dev/null | sed -n 's/.*SONAME.*\[\(.*\)\].*/\1/p'
