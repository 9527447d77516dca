# What scripts/check --full adds; sourced by it. Each step's tests count like the others; a step that is a single
# yes or no is a line of steps.tap.
steps=build/steps.tap
: >$steps
results+=("$steps")

# step NAME COMMAND...: one test.
step() {
  local name=$1 log=build/step.log
  shift
  echo "$name" >&2
  if (set -e; "$@") >"$log" 2>&1; then
    echo "ok - $name" >>$steps
  else
    { tail -n 40 "$log" | sed 's/^/# /'; echo "not ok - $name"; } >>$steps
  fi
}

# clang, no warnings.
need clang have clang
install_needed
clang_build() {
  CC=clang build build-clang -Dwerror=true
}
step "clang builds without a warning" clang_build
step "gcc builds without a warning" build build-gcc -Dwerror=true
run_tests build-clang

# Other architectures: the library, the renderer and their tests; the hashes of tests/golden must be the same.
gcc_version=$(gcc -dumpversion | cut -d. -f1)
need "lib32gcc-$gcc_version-dev" test -e "/usr/lib/gcc/x86_64-linux-gnu/$gcc_version/32/libgcc.a"
need libc6-dev-i386 test -e /usr/include/x86_64-linux-gnu/gnu/stubs-32.h
need gcc-aarch64-linux-gnu have aarch64-linux-gnu-gcc
need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
need qemu-user have qemu-aarch64
if [ "$(uname -m)" = x86_64 ]; then
  install_needed
  for architecture in i386 aarch64; do
    echo "$architecture" >&2
    build "build-$architecture" --cross-file "scripts/cross/$architecture.ini" "${alone_options[@]}"
    run_tests "build-$architecture" --timeout-multiplier 10
  done
else
  needed=()
  echo "ok - other architectures # SKIP made for x86-64 machines" >>$steps
fi

for kind in address thread; do
  echo "sanitizers: $kind" >&2
  sanitized $kind
done

step "installs, and the examples build against it" scripts/test-install.sh build
