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

# Installs Debian packages. Nothing is printed unless it fails.
install_packages() {
  have apt-get || die "missing: $* (and this is not a Debian or Ubuntu machine)"
  local as_root=() log
  if [ "$(id -u)" != 0 ]; then
    have sudo || die "missing: $* (install them, or run as root or with sudo)"
    as_root=(sudo)
  fi
  log=$(mktemp)
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
  echo "installing $*" >&2
  # The package lists of a fresh machine are empty or old: then fetch them and try again.
  if ! "${apt[@]}" install -y --no-install-recommends "$@" >"$log" 2>&1; then
    if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
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

# Everything that builds the library and the command.
install_build_tools() {
  need gcc have "${CC:-cc}"
  need libc6-dev test -e /usr/include/stdio.h
  need meson have meson
  need ninja-build have ninja
  need pkg-config have pkg-config
  need zlib1g-dev pkg-config --exists zlib
  need libexpat1-dev pkg-config --exists expat
  need libpng-dev pkg-config --exists libpng
  need libjpeg-dev pkg-config --exists libjpeg
  need libwebp-dev pkg-config --exists libwebp
  install_needed
}

# And everything that its tests use beyond that. Debian's Python, since its numpy is Debian's too.
install_test_tools() {
  need g++ have c++
  need python3 test -x /usr/bin/python3
  need python3-numpy /usr/bin/python3 -c 'import numpy'
  need python3-pil /usr/bin/python3 -c 'import PIL'
  need glslc have glslc
  need libvulkan-dev test -e /usr/include/vulkan/vulkan.h
  need mesa-vulkan-drivers compgen -G '/usr/share/vulkan/icd.d/lvp_icd*'
  need vulkan-validationlayers test -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
  install_needed
}

# build FOLDER [MESON OPTION...]: configures once (again when CC or the options change) and builds what is out of date.
# Quiet unless something fails.
build() {
  local folder=$1 log options
  shift
  options="CC=${CC:-} $*"
  log=$folder.log
  if [ ! -f "$folder/build.ninja" ] || [ "$(cat "$folder/.options" 2>/dev/null)" != "$options" ]; then
    local again=()
    [ ! -f "$folder/build.ninja" ] || again=(--wipe)
    meson setup "${again[@]}" "$folder" "$@" >"$log" 2>&1 || { cat "$log" >&2; die "meson failed"; }
    printf '%s' "$options" >"$folder/.options"
  fi
  ninja -C "$folder" -j "$jobs" >"$log" 2>&1 || { cat "$log" >&2; die "the build failed"; }
  rm -f "$log"
}

# The ordinary build, with the command at build/stijl.
build_command() {
  build build
  [ -L build/stijl ] || [ -e build/stijl ] || ln -s cli/stijl build/stijl
}

# run_tests FOLDER [MESON TEST OPTION...]: runs the tests of a build folder and adds the log to `results`, which
# tally.py sums up. Does not stop at failures.
run_tests() {
  local folder=$1
  shift
  local log=$folder/meson-logs/testlog.json
  rm -f "$log"
  meson test -C "$folder" --num-processes "$jobs" "$@" >"$folder/meson-logs/check.txt" 2>&1 || true
  grep -E '^ *[0-9]+/[0-9]+ ' "$folder/meson-logs/check.txt" || true
  [ -s "$log" ] || { cat "$folder/meson-logs/check.txt" >&2; die "no tests ran in $folder"; }
  results+=("$log")
}

# Prints what `results` add up to, as the last line; the status tells whether all passed.
tally() { /usr/bin/python3 scripts/tally.py "${results[@]}"; }

# The library, renderer and their tests without libraries beside libc: for other architectures.
# (-O2: Debian 12's ARM compiler breaks at -O3 on tests/unit/path.c.)
alone_options=(-Doptimization=2 -Dsvg=disabled -Dpng=disabled -Djpeg=disabled -Dwebp=disabled)

# build-KIND: address (and undefined behaviour), or thread.
sanitized_build() {
  local sanitizers=$1
  [ "$1" != address ] || sanitizers=address,undefined
  # Without Vulkan: the software driver leaks, and is unloaded before its leaks could be told from ours.
  build "build-$1" -Dvulkan=disabled -Db_sanitize="$sanitizers" -Dbuildtype=debugoptimized -Db_lundef=false -Db_ndebug=false
}

# The first report ends a program; limits of memory in the tests do not hold.
sanitized_tests() {
  STIJL_SANITIZED=$1 UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1 \
    ASAN_OPTIONS=abort_on_error=1:strict_string_checks=1:detect_stack_use_after_return=1 TSAN_OPTIONS=halt_on_error=1 \
    run_tests "build-$1" --timeout-multiplier 10
}
