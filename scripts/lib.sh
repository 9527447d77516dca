# Shared by the scripts of this folder; sourced, from bash, with the folder of the sources as current one.
set -euo pipefail

cache=${STIJL_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/stijl}  # what is fetched or built from elsewhere
jobs=${STIJL_JOBS:-$(nproc)}

# One line on standard error and exit 1.
die() {
  echo "$(basename "$0"): $*" >&2
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

exec 3>&2  # where progress is shown, also by steps whose output goes into a file
every=10   # seconds: off a terminal nothing is silent for longer

# patiently NAME COMMAND...: runs a program whose output goes elsewhere, and tells how long it has taken: on a terminal
# in one line that goes away, else by a line now and then.
patiently() {
  local name=$1 start=$SECONDS status=0 ticker pause=$every
  shift
  [ ! -t 3 ] || pause=1
  (
    while sleep "$pause" 3>&- && kill -0 $$ 2>/dev/null; do
      if [ -t 3 ]; then
        printf '\r\e[K%s, %d s' "$name" $((SECONDS - start)) >&3
      else
        echo "$name, $((SECONDS - start)) s" >&3
      fi
    done
  ) >/dev/null 2>&1 &
  ticker=$!
  "$@" || status=$?
  kill $ticker 2>/dev/null || true
  wait $ticker 2>/dev/null || true
  if [ -t 3 ]; then printf '\r\e[K' >&3; fi
  return $status
}

# fetch URL FILE: the caller knows its sum.
fetch() { patiently "fetching $(basename "$1")" curl -sfL -m 120 -o "$2" "$1"; }

# note_missing PART REASON: this machine does not have a part of the product. tell_missing says which, in a line each; a
# script that calls it begins with forget_missing.
missing=build/missing.txt
note_missing() {
  local line="without $1: $2"
  mkdir -p "$(dirname "$missing")"
  grep -qxFs -e "$line" "$missing" || echo "$line" >>"$missing"
}
forget_missing() { rm -f "$missing"; }
tell_missing() { [ ! -e "$missing" ] || cat "$missing"; }

# apt-get as root.
apt_get() {
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"
}

# Installs Debian packages, and removes none. Says only what it installs, unless it fails.
install_packages() {
  have apt-get || die "missing: $* (and this is not a Debian or Ubuntu machine)"
  [ "$(id -u)" = 0 ] || have sudo || die "missing: $* (install them, or run as root or with sudo)"
  local log install=(apt_get install -y --no-install-recommends --no-remove)
  log=$(mktemp)
  echo "installing $*" >&3
  # The package lists of a fresh machine are empty or old: then fetch them and try again.
  if ! patiently installing "${install[@]}" "$@" >"$log" 2>&1; then
    if ! { patiently "fetching lists of packages" apt_get update &&
      patiently installing "${install[@]}" "$@"; } >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      die "could not install: $*"
    fi
  fi
  rm -f "$log"
}

# need PACKAGE TEST...: notes the package as missing when the test fails. install_needed installs what was noted.
needed=()
need() {
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || needed+=("$package")
}
install_needed() {
  [ ${#needed[@]} = 0 ] || install_packages "${needed[@]}"
  needed=()
}

# All that the whole product and its tests need, but for what only scripts/check adds: the scripts leave nothing out.
# Debian's Python, since its numpy is Debian's too.
install_tools() {
  need gcc have "${CC:-cc}"
  need g++ have "${CXX:-c++}"
  need libc6-dev test -e /usr/include/stdio.h
  need meson have meson
  need ninja-build have ninja
  need pkg-config have pkg-config
  need zlib1g-dev pkg-config --exists zlib
  need libexpat1-dev pkg-config --exists expat
  need libpng-dev pkg-config --exists libpng
  need libjpeg-dev pkg-config --exists libjpeg
  need libwebp-dev pkg-config --exists libwebp libwebpmux
  need libgif-dev test -e /usr/include/gif_lib.h
  need libharfbuzz-dev pkg-config --exists harfbuzz
  need libfreetype-dev pkg-config --exists freetype2
  need libfribidi-dev pkg-config --exists fribidi
  need libfontconfig-dev pkg-config --exists fontconfig
  need libunibreak-dev pkg-config --exists libunibreak
  need libcairo2-dev pkg-config --exists cairo-ft cairo-pdf
  need libgumbo-dev pkg-config --exists gumbo
  need glslc have glslc
  need spirv-tools have spirv-val
  need libsdl2-dev pkg-config --exists sdl2  # the viewer
  need libvulkan-dev test -e /usr/include/vulkan/vulkan.h
  need mesa-vulkan-drivers compgen -G '/usr/share/vulkan/icd.d/lvp_icd*'
  need vulkan-validationlayers test -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
  need python3 test -x /usr/bin/python3
  need python3-dev /usr/bin/python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
  need python3-numpy /usr/bin/python3 -c 'import numpy'
  need python3-pil /usr/bin/python3 -c 'import PIL'
  need xz-utils have xz
  install_needed
}

# What a build looks for and can do without: when one of them comes or goes, the folder is configured again.
optional_tools() {
  local tool
  for tool in "${CXX:-c++}" /usr/bin/python3 glslc spirv-val; do command -v "$tool" || true; done
  compgen -G '/usr/share/vulkan/icd.d/lvp_icd*' || true
  pkg-config --modversion cairo sdl2 vulkan 2>/dev/null || true
}

# progress NAME LOG: copies what ninja or `meson test` write from standard input to LOG. On a terminal one line shows
# the name, the seconds so far and the newest step. Elsewhere a build that has something to do says how much, each
# finished test is a line, and so is how far it is when nothing else was said for a while.
progress() {
  local name=$1 log=$2 line='' newest='' part status width=80 start=$SECONDS said=$SECONDS
  local step='^ *\[?[0-9]+/[0-9]+\]? ' bad='[0-9] .* (FAIL|ERROR|TIMEOUT|UNEXPECTEDPASS) '
  if [ -t 3 ]; then width=$(stty size <&3 | cut -d' ' -f2) || true; fi
  [ "${width:-0}" -gt 20 ] || width=80
  : >"$log"
  while true; do
    status=0
    IFS= read -r -t 1 part || status=$?
    line+=$part  # after a second without a whole line, what there is of it
    if [ $status = 0 ]; then
      printf '%s\n' "$line" >>"$log"
      if [[ $line =~ $step ]]; then
        newest=$line
        if [ -t 3 ]; then
          if [[ $line =~ $bad ]]; then printf '\r\e[K%s\n' "$line" >&3; fi
        elif [[ $line != \[* ]]; then
          printf '%s\n' "$line"
          said=$SECONDS
        elif [[ $line == \[1/* ]]; then
          part=${line%%]*}
          echo "building $name: ${part#*/} steps" >&3
          said=$SECONDS
        fi
      fi
      line=
    elif [ $status -le 128 ]; then
      [ -z "$line" ] || printf '%s\n' "$line" >>"$log"
      break
    fi
    if [ -t 3 ] && [ -n "$newest" ]; then
      part="$name, $((SECONDS - start)) s: $newest"
      printf '\r\e[K%s' "${part:0:width-1}" >&3
    elif [ ! -t 3 ] && [ $((SECONDS - said)) -ge "$every" ]; then
      part=$name
      [[ ! $newest =~ ([0-9]+)/([0-9]+) ]] || part+=": ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      echo "$part, $((SECONDS - start)) s" >&3
      said=$SECONDS
    fi
  done
  if [ -t 3 ] && [ -n "$newest" ]; then printf '\r\e[K' >&3; fi
}

# build FOLDER [MESON OPTION...]: configures once (again when CC, the options or the tools change) and builds what is
# out of date, all or the `targets`. Quiet when there is nothing to do.
build() {
  local folder=$1 log=$1.log options tools again=() configure=
  shift
  options="CC=${CC:-} $*" tools=$(optional_tools)
  if [ ! -f "$folder/build.ninja" ]; then
    configure=yes
  elif [ "$(cat "$folder/.options" 2>/dev/null)" != "$options" ]; then
    configure=yes again=(--wipe)
  elif [ "$(cat "$folder/.tools" 2>/dev/null)" != "$tools" ]; then
    configure=yes again=(--reconfigure)
  fi
  if [ -n "$configure" ]; then
    echo "configuring $folder" >&3
    patiently "configuring $folder" meson setup "${again[@]}" "$folder" "$@" >"$log" 2>&1 ||
      { cat "$log" >&2; die "meson failed"; }
    printf '%s' "$options" >"$folder/.options"
    printf '%s' "$tools" >"$folder/.tools"
  fi
  # shellcheck disable=SC2086 # words
  ninja -C "$folder" -j "$jobs" ${targets-} 2>&1 | progress "$folder" "$log" ||
    { cat "$log" >&2; die "the build failed"; }
  rm -f "$log"
}

# A build of the whole product fails where something is missing. (A plain `meson setup` leaves it out, and says so.)
whole=(-Dauto_features=enabled)

# The ordinary build, with the command at build/stijl.
build_command() {
  build build "${whole[@]}"
  [ -L build/stijl ] || [ -e build/stijl ] || ln -s cli/stijl build/stijl
}

# run_tests FOLDER [MESON TEST OPTION...]: runs the tests of a build folder and adds the log to `results`, which
# tally.py sums up. Does not stop at failures.
run_tests() {
  local folder=$1
  shift
  local logs=$folder/meson-logs
  rm -f "$logs/testlog.json"
  PYTHONUNBUFFERED=1 meson test -C "$folder" --num-processes "$jobs" "$@" 2>&1 |
    progress "tests in $folder" "$logs/check.txt" || true
  [ -s "$logs/testlog.json" ] || { cat "$logs/check.txt" >&2; die "no tests ran in $folder"; }
  results+=("$logs/testlog.json")
  # The log of a run that died is as good as any other, but short.
  local ran all
  ran=$(wc -l <"$logs/testlog.json")
  all=$(sed -nE 's|^ *[0-9]+/([0-9]+) .*|\1|p' "$logs/check.txt" | tail -n 1)
  if [ "$ran" != "$all" ]; then
    tail -n 20 "$logs/check.txt" | sed 's/^/# /' >"$logs/run.tap"
    echo "not ok - only $ran of $all tests ran in $folder" >>"$logs/run.tap"
    results+=("$logs/run.tap")
  fi
}

# step NAME COMMAND...: a test that is a single yes or no: a line of `steps`, and the command `passed` (true or false).
# A command that ends with 77 could not try it, and says why in its last line. Lines "note: " are told with the tally.
# Never call it in a condition, where bash would go on after what fails in the command.
steps=build/steps.tap
step() {
  local name=$1 log=build/step.log status
  shift
  echo "$name" >&3
  set +e
  (set -e; "$@") >"$log" 2>&1
  status=$?
  set -e
  passed=true
  if [ $status = 77 ]; then
    echo "ok - $name # SKIP $(tail -n 1 "$log")" >>$steps
  elif [ $status = 0 ]; then
    sed -n 's/^note: /# &/p' "$log" >>$steps
    echo "ok - $name" >>$steps
  else
    { tail -n 40 "$log" | sed 's/^/# /'; echo "not ok - $name"; } >>$steps
    passed=false
  fi
}

# Prints what `results` add up to, as the last line; the status tells whether all passed.
tally() { /usr/bin/python3 scripts/tally.py "${results[@]}"; }

# The library, renderer and their tests without libraries beside libc: for other architectures.
# (-O2: Debian 12's ARM compiler breaks at -O3 on tests/unit/path.c.)
alone_options=(-Doptimization=2 -Dauto_features=disabled)

# clang, and what its sanitizers and libFuzzer link with: a package of its own, named by clang's version.
clang_tools() {
  need clang have clang
  install_needed
  need "libclang-rt-$(clang -dumpversion | cut -d. -f1)-dev" \
    test -e "$(clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer-$(uname -m).a"
  install_needed
}

# build-fuzz: the libFuzzer programs, and of the library every branch instrumented.
fuzz_build() {
  clang_tools
  CC=clang targets=fuzzers build build-fuzz "${whole[@]}" -Dfuzz=true -Db_sanitize=address,undefined \
    -Dbuildtype=debugoptimized -Db_lundef=false
}
fuzz_harnesses() { grep -l '^int LLVMFuzzerTestOneInput' tests/fuzz/*.c | sed 's|.*/\(.*\)\.c|\1|'; echo vulkan; }

# fuzz NAME [LIBFUZZER OPTION...]: runs one of them. New inputs go to build-fuzz/corpus/NAME. By its "entropic" schedule
# libFuzzer spends nine tenths of the time on its own counts.
fuzz() {
  local name=$1 seeds=tests/fuzz/corpus/$1 options=(-entropic=0) leaks=1
  shift
  mkdir -p "build-fuzz/corpus/$name"
  [ ! -e "tests/fuzz/$name.dict" ] || options+=(-dict="tests/fuzz/$name.dict")
  [ "$name" != font ] || seeds=tests/fonts
  if [ "$name" = vulkan ]; then
    seeds=tests/fuzz/corpus/scene
    leaks=0  # the software driver leaks
    options+=(-rss_limit_mb=8192)
  fi
  LSAN_OPTIONS=suppressions=tests/leaks.txt:print_suppressions=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    ASAN_OPTIONS=detect_leaks=$leaks "build-fuzz/tests/fuzz/fuzz_$name" "${options[@]}" "$@" \
    "build-fuzz/corpus/$name" "$seeds"
}

# build-KIND: address (and undefined behaviour), thread, or undefined: clang's checks, which find more of it, and report
# unsigned arithmetic that wraps (src/base/wraps.h) and integers that lose bits, too.
sanitized_build() {
  local sanitizers=$1 checks=undefined,unsigned-integer-overflow,implicit-integer-truncation,float-cast-overflow
  # Without Vulkan: the software driver leaks, and is unloaded before its leaks could be told from ours.
  local options=("${whole[@]}" -Dvulkan=disabled -Dbuildtype=debugoptimized -Db_lundef=false -Db_ndebug=false)
  if [ "$1" = undefined ]; then
    clang_tools
    CC=clang build build-undefined "${options[@]}" -Dc_args=-fsanitize=$checks -Dc_link_args=-fsanitize=$checks
    return
  fi
  [ "$1" != address ] || sanitizers=address,undefined
  build "build-$1" "${options[@]}" -Db_sanitize="$sanitizers"
}

# The first report ends a program; limits of memory in the tests do not hold. Of random cases they run a fourth, as they
# take so much longer.
sanitized_tests() {
  STIJL_TEST_SHARE=${STIJL_TEST_SHARE:-4} STIJL_SANITIZED=$1 \
    LSAN_OPTIONS=suppressions=$PWD/tests/leaks.txt:print_suppressions=0 \
    UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1 \
    ASAN_OPTIONS=abort_on_error=1:strict_string_checks=1:detect_stack_use_after_return=1 TSAN_OPTIONS=halt_on_error=1 \
    run_tests "build-$1" --timeout-multiplier 10
}
