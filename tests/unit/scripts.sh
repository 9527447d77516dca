#!/usr/bin/env bash
# scripts.sh SOURCES: what scripts/ promise beyond building and testing, with stand-ins for the tools. Prints TAP.
. "$(dirname "$0")/tap.sh"
cd "$1" || exit 1

refused() {  # OPTION...: by one line, before anything is done
  ! timeout 10 scripts/check "$@" >"$folder/out" 2>&1 && [ "$(wc -l <"$folder/out")" = 1 ]
}
check 'check --full=typo fails' refused --full=typo
check 'and beside a part that exists' refused --full=address,typo
check 'and an argument too many' refused --full=address more

# The build of a folder, by stand-ins that note how they were called.
mkdir "$folder/bin"
printf '#!/bin/sh\necho meson "$@" >>"%s/calls"\nmkdir -p "%s/folder" && touch "%s/folder/build.ninja"\n' \
  "$folder" "$folder" "$folder" >"$folder/bin/meson"
printf '#!/bin/sh\ntrue\n' >"$folder/bin/ninja"
chmod +x "$folder/bin/"*
builds() {  # PATTERN [OPTION...]: what meson is called with by a build with these options
  local pattern=$1
  shift
  : >"$folder/calls"
  (PATH=$folder/bin:$PATH && . scripts/lib.sh && build "$folder/folder" "$@") || return 1
  cat "$folder/calls"
  [[ $(cat "$folder/calls") == $pattern ]]
}
check 'a new folder is configured' builds 'meson setup */folder -Da=1' -Da=1
check 'once' builds '' -Da=1
check 'and anew when the options change' builds 'meson setup --wipe */folder -Da=2' -Da=2
printf '#!/bin/sh\n' >"$folder/bin/glslc"
chmod +x "$folder/bin/glslc"
check 'a tool that appears configures again' builds 'meson setup --reconfigure */folder -Da=2' -Da=2
check 'once, too' builds '' -Da=2

# What a build cannot run is counted, test by test.
printf 'TEST(one) {\n}\nTEST(two) { check("a", f(1)); }\n' >"$folder/tests.c"
check 'tests that cannot run are named' \
  same "$(tests/skip.sh why "$folder/tests.c")" $'ok 1 - one # SKIP why\nok 2 - two # SKIP why\n1..2'

# Progress, away from a terminal.
shows() {  # INPUT EXPECTED
  [ "$(. scripts/lib.sh && printf "$1" | progress name "$folder/copy" 2>&1)" = "$(printf "$2")" ] &&
    [ "$(cat "$folder/copy")" = "$(printf "$1")" ]
}
check 'a build with nothing to do is quiet' shows 'ninja: no work to do.\n' ''
check 'tests are told as they end' shows 'ninja: no work to do.\n 1/2 a OK 0.1s\n 2/2 b FAIL 0.1s\nOk: 1\nthe end' \
  ' 1/2 a OK 0.1s\n 2/2 b FAIL 0.1s'

# A step fails with whatever fails in it. (In a condition bash goes on.)
steps() {
  mkdir -p "$folder/steps/build"
  (cd "$folder/steps" && bash -c '. "$0/scripts/lib.sh"
    middle() { false; true; }
    step a middle
    $passed || step b true
    cat "$steps"' "$1" 2>"$folder/out") | cmp - <(printf 'not ok - a\nok - b\n')
}
check 'steps' steps "$(pwd)"

# Without a network the sources for WebAssembly cannot be had, and one line says so.
printf '#!/bin/sh\nexit 6\n' >"$folder/bin/curl"
chmod +x "$folder/bin/curl"
offline() {
  ! (export PATH=$folder/bin:$PATH STIJL_CACHE=$folder/cache && . scripts/lib.sh && . scripts/wasm.sh && wasm_archives) \
    >"$folder/out" 2>&1 && [[ $(tail -n 1 "$folder/out") == *"not in Debian's archive"* ]]
}
check 'no network, no sources' offline

# The sum: skipped tests by name, the counts alone on the last line.
printf 'ok 1 - a\nok 2 - b # SKIP no cheese\nok 3 - c # SKIP no cheese\n# note: d\n# why\nnot ok 4 - e\n' >"$folder/sum.tap"
sum() { [ "$(scripts/tally.py "$folder/sum.tap")" = "$(printf "$1")" ]; }
check 'the sum' sum 'FAILED e\n# note: d\n# why\nskipped 2, no cheese: b, c\n1 passed, 1 failed, 2 skipped'

# SECURITY.md names every limit that the public headers have.
all_limits() {
  local name missing=0
  for name in $(grep -ohE '\bmax_[a-z]+(_[a-z]+)?;' include/stijl/*.h | tr -d ';' | sort -u | grep -v max_storage_range); do
    grep -q "\b$name\b" SECURITY.md || { echo "$name is missing"; missing=1; }
  done
  return $missing
}
check 'SECURITY.md names every limit' all_limits
plan
