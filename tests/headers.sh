#!/bin/sh
# headers.sh FOLDER CC... [-- CXX...]: compiles each public header alone, as C17 and as C++17; prints TAP.
folder=$1
shift
cc= cxx= second=
for word; do
  if [ "$word" = -- ]; then second=1
  elif [ -n "$second" ]; then cxx="$cxx $word"
  else cc="$cc $word"
  fi
done
n=0
try() {  # NAME COMPILER...
  name=$1
  shift
  n=$((n + 1))
  # Twice: the guard is part of the test. A declaration of our own keeps the unit from being empty.
  if errors=$(printf '#include "stijl/%s"\n#include "stijl/%s"\nextern int nothing;\n' "$name" "$name" |
    "$@" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$folder" - 2>&1); then
    echo "ok $n - $name as $standard"
  else
    echo "$errors" | sed 's/^/# /'
    echo "not ok $n - $name as $standard"
  fi
}
for path in "$folder"/stijl/*.h; do
  header=$(basename "$path")
  standard=C17
  try "$header" $cc -std=c17 -x c
  standard=C++17
  if [ -n "$cxx" ]; then
    try "$header" $cxx -std=c++17 -x c++
  else
    n=$((n + 1))
    echo "ok $n - $header as $standard # SKIP no C++ compiler"
  fi
done
echo "1..$n"
