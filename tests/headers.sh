#!/bin/sh
# headers.sh SOURCES CC... [-- CXX...]: compiles each public header alone with all its initialisers, and the program in
# README.md, as C17 and as C++17; prints TAP.
sources=$1
shift
cc= cxx= second=
for word; do
  if [ "$word" = -- ]; then second=1
  elif [ -n "$second" ]; then cxx="$cxx $word"
  else cc="$cc $word"
  fi
done
n=0
# An object for each initialiser of a header: stijl_scene_limits made by STIJL_SCENE_LIMITS_INIT.
initialisers() {
  sed -n 's/^#define \(STIJL_[A-Z0-9_]*\)_INIT\( .*\)*$/\1/p' "$1" | while read -r macro; do
    type=$(printf %s "$macro" | tr A-Z a-z)
    printf 'extern %s object_of_%s;\n%s object_of_%s = %s_INIT;\n' "$type" "$type" "$type" "$type" "$macro"
  done
}
# try NAME COMPILER...: compiles standard input.
try() {
  name=$1
  shift
  n=$((n + 1))
  if errors=$("$@" -Wall -Wextra -pedantic-errors -Werror -fsyntax-only -I"$sources/include" - 2>&1); then
    echo "ok $n - $name"
  else
    echo "$errors" | sed 's/^/# /'
    echo "not ok $n - $name"
  fi
}
both() {  # NAME FILE
  try "$1 as C17" $cc -std=c17 -x c <"$2"
  if [ -n "$cxx" ]; then
    try "$1 as C++17" $cxx -std=c++17 -x c++ <"$2"
  else
    n=$((n + 1))
    echo "ok $n - $1 as C++17 # SKIP no C++ compiler"
  fi
}
text=$(mktemp) || exit 1
trap 'rm -f "$text"' EXIT
for path in "$sources"/include/stijl/*.h; do
  header=stijl/$(basename "$path")
  # Twice: the guard is part of the test. A declaration of our own keeps the unit from being empty.
  { printf '#include "%s"\n#include "%s"\nextern int nothing;\n' "$header" "$header"; initialisers "$path"; } >"$text"
  both "$header" "$text"
done
sed -n '/^```c$/,/^```$/{/^```/d;p}' "$sources/README.md" >"$text"
both README.md "$text"
echo "1..$n"
