#!/usr/bin/env bash
# scripts.sh SOURCES: what scripts/ promise beyond building and testing, with stand-ins for the tools. Prints TAP.
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
check() {  # NAME, then a command that must succeed
  local name=$1
  shift
  number=$((number + 1))
  if "$@" >"$work/log" 2>&1; then
    echo "ok $number - $name"
  else
    sed 's/^/# /' "$work/log"
    echo "not ok $number - $name"
  fi
}

refused() {  # OPTION...: by one line, before anything is done
  ! timeout 10 scripts/check "$@" >"$work/out" 2>&1 && [ "$(wc -l <"$work/out")" = 1 ]
}
check 'check --full=typo fails' refused --full=typo
check 'and beside a part that exists' refused --full=address,typo
check 'and an argument too many' refused --full=address more

# The build of a folder, by stand-ins that note how they were called.
mkdir "$work/bin"
printf '#!/bin/sh\necho meson "$@" >>"%s/calls"\nmkdir -p "%s/folder" && touch "%s/folder/build.ninja"\n' \
  "$work" "$work" "$work" >"$work/bin/meson"
printf '#!/bin/sh\ntrue\n' >"$work/bin/ninja"
chmod +x "$work/bin/"*
builds() {  # PATTERN [OPTION...]: what meson is called with by a build with these options
  local pattern=$1
  shift
  : >"$work/calls"
  (PATH=$work/bin:$PATH && . scripts/lib.sh && build "$work/folder" "$@") || return 1
  cat "$work/calls"
  [[ $(cat "$work/calls") == $pattern ]]
}
check 'a new folder is configured' builds 'meson setup */folder -Da=1' -Da=1
check 'once' builds '' -Da=1
check 'and anew when the options change' builds 'meson setup --wipe */folder -Da=2' -Da=2
printf '#!/bin/sh\n' >"$work/bin/glslc"
chmod +x "$work/bin/glslc"
check 'a tool that appears configures again' builds 'meson setup --reconfigure */folder -Da=2' -Da=2
check 'once, too' builds '' -Da=2

# Progress, away from a terminal.
shows() {  # INPUT EXPECTED
  [ "$(. scripts/lib.sh && printf "$1" | progress name "$work/copy" 2>&1)" = "$(printf "$2")" ] &&
    [ "$(cat "$work/copy")" = "$(printf "$1")" ]
}
check 'a build with nothing to do is quiet' shows 'ninja: no work to do.\n' ''
check 'tests are told as they end' shows 'ninja: no work to do.\n 1/2 a OK 0.1s\n 2/2 b FAIL 0.1s\nOk: 1\nthe end' \
  ' 1/2 a OK 0.1s\n 2/2 b FAIL 0.1s'

# The sum: skipped tests by name, the counts alone on the last line.
printf 'ok 1 - a\nok 2 - b # SKIP no cheese\nok 3 - c # SKIP no cheese\n# note: d\n# why\nnot ok 4 - e\n' >"$work/sum.tap"
sum() { [ "$(scripts/tally.py "$work/sum.tap")" = "$(printf "$1")" ]; }
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
echo "1..$number"
