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

says() {  # EXPECTED COMMANDS: with a pause of a second instead of ten. Lines that count seconds are one, however many.
  (cd "$folder" && bash -c '. "$0/scripts/lib.sh"; every=1; eval "$1"' "$sources" "$2" 2>&1) |
    sed 's/[0-9]* s$/N s/' | uniq >"$folder/said"
  same "$(cat "$folder/said")" "$1"
}
sources=$(pwd)
check 'a build tells how much there is to do, and how far it is' says $'building name: 40 steps\nname: 2 of 40, N s' \
  '{ printf "[1/40] a\n[2/40] b\n"; sleep 2.5; } | progress name copy'
check 'and that it has not begun' says $'name, N s\nbuilding name: 9 steps' \
  '{ sleep 2.5; echo "[1/9] a"; } | progress name copy'
check 'after a while, that tests are waited for' says $' 1/9 a OK\nname: 1 of 9, N s' \
  '{ echo " 1/9 a OK"; sleep 2.5; } | progress name copy'
check 'what takes long is told of, with its status' says $'name, N s\nended with 3' \
  'patiently name sh -c "sleep 2.5; exit 3" || echo "ended with $?"'
check 'what does not is quiet' says '' 'patiently name true'
check 'parts that are missing are named, in a line each' says $'without a: why\nwithout b: no tool' \
  'note_missing a why; note_missing b "no tool"; note_missing a why; tell_missing; forget_missing; tell_missing'

# Tests that no log tells of have failed.
printf '#!/bin/sh\necho " 1/2 a OK"; echo {} >%s/meson-logs/testlog.json; echo died; exit 2\n' \
  "$folder/tests" >"$folder/bin/meson"
check 'a run of tests that dies' says \
  $' 1/2 a OK\n# died\nnot ok - only 1 of 2 tests ran in tests\ntests/meson-logs/testlog.json' \
  'PATH=$PWD/bin:$PATH; mkdir -p build tests/meson-logs; run_tests tests
    tail -n 2 "${results[1]}"; echo "${results[0]}"'

# A step fails with whatever fails in it. (In a condition bash goes on.)
steps() {
  mkdir -p "$folder/steps/build"
  (cd "$folder/steps" && bash -c '. "$0/scripts/lib.sh"
    middle() { false; true; }
    step a middle
    $passed || step b true
    step c sh -c "echo no root; exit 77"
    step d echo "note: look"
    cat "$steps"' "$1" 2>"$folder/out") |
    cmp - <(printf 'not ok - a\nok - b\nok - c # SKIP no root\n# note: look\nok - d\n')
}
check 'steps' steps "$(pwd)"

# Without a network the sources for WebAssembly cannot be had, and one line says so.
printf '#!/bin/sh\nexit 6\n' >"$folder/bin/curl"
chmod +x "$folder/bin/curl"
offline() {
  ! (export PATH=$folder/bin:$PATH STIJL_CACHE=$folder/cache && . scripts/lib.sh && . scripts/wasm.sh &&
    wasm_archives) >"$folder/out" 2>&1 && [[ $(tail -n 1 "$folder/out") == *"not in Debian's archive"* ]]
}
check 'no network, no sources' offline

# The sum: skipped tests by name, the counts alone on the last line.
printf 'ok 1 - a\nok 2 - b # SKIP no cheese\nok 3 - c # SKIP no cheese\n# note: d\n# why\nnot ok 4 - e\n' \
  >"$folder/sum.tap"
sum() { [ "$(scripts/tally.py "$folder/sum.tap")" = "$(printf "$1")" ]; }
check 'the sum' sum \
  'FAILED e\n# note: d\n# why\nnote from sum: d\nskipped 2, no cheese: b, c\n1 passed, 1 failed, 2 skipped'

# What fetch.sh gets for tests, and what the scripts want, is the oldest Node that the package promises.
oldest=$(. scripts/lib.sh && . scripts/wasm.sh && oldest_node)
check 'the package names its oldest Node' same "\"node\": \">=$oldest\"" \
  "$(grep -o '"node": "[^"]*"' web/npm/package.json)"
check 'and is tested in it' grep -qE "^  local version=$oldest(\.0)? " scripts/fetch.sh
check 'versions' eval '. scripts/lib.sh && . scripts/wasm.sh &&
  newer v18.20.4 18.20 && newer 1.96.0 1.90 && ! newer 1.9 1.90'

check 'README has two commands' \
  same "$(sed -n '/^## Two commands/,/^## /p' README.md | grep -cE '^    \./scripts/[a-z]')" 2

# Each script with what it sources. Variables of a file that is sourced are set and read elsewhere.
for file in scripts/*.sh $(grep -lE '^#!.*bash' scripts/* .ci/* 2>/dev/null | grep -v '\.sh$'); do
  if ! command -v shellcheck >/dev/null; then
    skip "shellcheck $file" 'no shellcheck'
  elif head -n 1 "$file" | grep -q '^#!'; then
    check "shellcheck $file" shellcheck -x -S warning -e SC2034 "$file"
  else
    check "shellcheck $file" shellcheck -s bash -S warning -e SC2034,SC2154 "$file"
  fi
done

# Other versions of the tool would have some lines otherwise.
if command -v clang-format-14 >/dev/null; then
  formatted() {
    find bench cli examples include python src tests viewer web -name '*.[ch]' -print0 |
      xargs -0 clang-format-14 --dry-run -Werror
  }
  check 'code has the form of .clang-format' formatted
else
  skip 'code has the form of .clang-format' 'no clang-format-14'
fi

# What else is written by hand ends at column 120, too, but for lines with a longer word, such as an address. (Tests
# have documents, which are not broken.)
narrow() {
  ! find bench examples packaging python scripts shaders src viewer web -type f \( -path 'scripts/*' -o \
    -name '*.js' -o -name '*.mjs' -o -name '*.ts' -o -name '*.sh' -o -name '*.py' -o -name '*.comp' -o \
    -name '*.glsl' -o -name meson.build \) -print0 | LC_ALL=C.UTF-8 xargs -0 grep -InE '^.{121}' | grep -vE '[^ ]{100}'
}
check 'lines end at column 120' narrow

# The comment above a function begins with what the function does, such as "Returns", and ends like a sentence, or with
# an example.
told() {
  find bench cli examples include python shaders src tests viewer web \
    -name '*.[ch]' -o -name '*.comp' -o -name '*.glsl' |
    xargs awk '
      FNR == 1 { lines = 0 }
      /^\/\// { if (!lines++) first = $0; last = $0; next }
      lines && /^[A-Za-z_][A-Za-z0-9_ ]*[ *][A-Za-z][A-Za-z0-9_]*\(/ && !/^(typedef|return) / &&
        (first !~ /^\/\/ [A-Z][a-z]*s[ ,:]/ || last !~ /[.;)]$/) { print FILENAME ":" FNR ": " first; bad = 1 }
      { lines = 0 }
      END { exit bad }'
}
check 'comments of functions say what these do' told

# SECURITY.md names every limit that the public headers have.
all_limits() {
  local name names missing=0
  names=$(grep -ohE '\bmax_[a-z]+(_[a-z]+)?;' include/stijl/*.h | tr -d ';' | sort -u)
  for name in $(grep -v max_storage_range <<<"$names"); do
    grep -q "\b$name\b" SECURITY.md || { echo "$name is missing"; missing=1; }
  done
  return $missing
}
check 'SECURITY.md names every limit' all_limits
plan
