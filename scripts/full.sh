# What scripts/check --full adds; sourced by it.

part() { case ",$full," in *",$1,"*) ;; *) return 1 ;; esac; }

if part compilers; then
  need clang have clang
  install_needed
  clang_build() {
    CC=clang build build-clang "${whole[@]}" -Dwerror=true
  }
  step "gcc builds without a warning" build build-gcc "${whole[@]}" -Dwerror=true
  step "clang builds without a warning" clang_build
  if $passed; then run_tests build-clang; fi
  # Without optimisation everything has a place of its own on the stack.
  clang_unoptimised() {
    CC=clang build build-clang-O0 "${alone_options[@]}" -Doptimization=0 -Dwerror=true
  }
  step "clang builds without optimisation" clang_unoptimised
  if $passed; then run_tests build-clang-O0 cpu pictures composite filter; fi
fi

# The library, the renderer and their tests; the hashes of tests/golden must be the same.
if part architectures && [ "$(uname -m)" != x86_64 ]; then
  echo "ok - other architectures # SKIP made for x86-64 machines" >>$steps
elif part architectures; then
  gcc_version=$(gcc -dumpversion | cut -d. -f1)
  need "lib32gcc-$gcc_version-dev" test -e "/usr/lib/gcc/x86_64-linux-gnu/$gcc_version/32/libgcc.a"
  need libc6-dev-i386 test -e /usr/include/x86_64-linux-gnu/gnu/stubs-32.h
  need gcc-aarch64-linux-gnu have aarch64-linux-gnu-gcc
  need libc6-dev-arm64-cross test -e /usr/aarch64-linux-gnu/include/stdio.h
  need qemu-user have qemu-aarch64
  install_needed
  for architecture in i386 aarch64; do
    step "$architecture builds" build "build-$architecture" --cross-file "scripts/cross/$architecture.ini" \
      "${alone_options[@]}"
    # Emulated programs take so much longer that of random cases they run a fourth.
    if $passed; then STIJL_TEST_SHARE=${STIJL_TEST_SHARE:-4} run_tests "build-$architecture" --timeout-multiplier 10; fi
  done
fi

# The C tests with threads, and with a second compiler.
if part browser && [ -e build-wasm/build.ninja ]; then
  step "builds for WebAssembly with threads" wasm_build clang build-wasm-threads -Dhtml=disabled -Dwasm_threads=true
  # shellcheck disable=SC2086 # words
  if $passed; then run_tests build-wasm-threads $wasm_c_tests; fi
  step "builds for WebAssembly with another compiler" wasm_build zig build-wasm-zig -Dhtml=disabled
  # shellcheck disable=SC2086 # words
  if $passed; then run_tests build-wasm-zig $wasm_c_tests; fi
fi

# Every document at several widths, in Node and both browsers, beside the native build.
if part browser && [ -e build-web/npm/package.json ]; then
  have chromium || (install_packages chromium) >build/wasm.log 2>&1 || true  # without them the test says so
  have firefox-esr || have firefox || (install_packages firefox-esr) >build/wasm.log 2>&1 || true
  echo "the suite at five widths in Node, Chromium and Firefox" >&2
  STIJL_NATIVE=$(pwd)/build patiently "the suite in browsers" node tests/wasm/widths.mjs >build/widths.tap || true
  grep -q '^1\.\.' build/widths.tap || echo "not ok - the suite was drawn in browsers" >>build/widths.tap
  results+=(build/widths.tap)
fi

# The package in real projects. The tools come from npm.
if part bundlers && [ -e build-web/npm/package.json ]; then
  need npm have npm
  install_needed
  echo "the package in bundlers and runtimes" >&2
  STIJL_NATIVE=$(pwd)/build STIJL_BUNDLERS=$cache/bundlers patiently "bundlers" \
    node tests/wasm/bundlers.mjs >build/bundlers.tap || true
  grep -q '^1\.\.' build/bundlers.tap || echo "not ok - all bundlers were tried" >>build/bundlers.tap
  results+=(build/bundlers.tap)
fi

# Animated documents at other times than 0, beside Chromium.
if part browser && command -v node >/dev/null; then
  echo "animations as in Chromium" >&2
  node tests/golden/animations.mjs build/cli/stijl >build/animations.tap || true
  grep -q '^1\.\.' build/animations.tap || echo "not ok - all animations were compared" >>build/animations.tap
  results+=(build/animations.tap)
  node tests/golden/moved.mjs build/tests/unit/test_svg_time >build/moved.tap || true
  grep -q '^1\.\.' build/moved.tap || echo "not ok - all animated documents were moved" >>build/moved.tap
  results+=(build/moved.tap)
fi

# HTML in foreignObject, beside Chromium.
if part browser && command -v node >/dev/null; then
  echo "HTML as in Chromium" >&2
  node tests/golden/html.mjs build/cli/stijl >build/html.tap || true
  grep -q '^1\.\.' build/html.tap || echo "not ok - all HTML was compared" >>build/html.tap
  results+=(build/html.tap)
fi

for kind in address thread undefined; do
  if part $kind; then
    step "builds with sanitizers: $kind" sanitized_build $kind
    if $passed; then sanitized_tests $kind; fi
  fi
done

# The Python package as a wheel, in an environment that has nothing else, then with what its types and its backend need.
if part python; then
  wheel_tests() {
    local env=build-wheel/env
    scripts/build-wheel
    /usr/bin/python3 -m venv "$env"
    "$env/bin/pip" install -q --no-index build-wheel/stijl-*.whl
    "$env/bin/python" python/tests/run.py
    "$env/bin/pip" install -q mypy typing_extensions numpy matplotlib pillow ||
      { echo "PyPI is out of reach"; exit 77; }
    "$env/bin/mypy"
    "$env/bin/python" python/tests/run.py
  }
  step "the wheel, its types, and matplotlib" wheel_tests
fi

# examples/cluster on engines that are started here; what cannot be installed is skipped by name.
if part cluster; then
  try_package() {
    test -e "$2" || (install_packages "$1") >/dev/null 2>&1 || echo "cluster: $1 cannot be installed" >&3
  }
  try_package openmpi-bin /usr/bin/mpirun
  for package in munge slurmctld slurmd; do try_package $package /usr/sbin/${package/#munge/munged}; done
  try_package slurm-client /usr/bin/sbatch
  need python3-venv /usr/bin/python3 -c 'import ensurepip, venv'
  install_needed
  if [ ! -e "$cache/cluster/done" ]; then
    rm -rf "$cache/cluster"
    /usr/bin/python3 -m venv "$cache/cluster"
    for package in ray distributed; do
      patiently "fetching $package" "$cache/cluster/bin/pip" install -q $package >build/cluster.log 2>&1 ||
        echo "cluster: $package cannot be installed" >&3
    done
    if "$cache/cluster/bin/python" -c 'import ray, distributed' 2>/dev/null; then touch "$cache/cluster/done"; fi
  fi
  # shellcheck disable=SC2046 # without it the tests of the Python package are not there
  patiently "clusters" "$cache/cluster/bin/python" tests/cluster/cluster.py build/stijl \
    $(compgen -G 'build/python/_stijl*.so') --full >build/cluster.tap 2>build/cluster.log || true
  grep -q '^1\.\.' build/cluster.tap || echo "not ok - all clusters were tried" >>build/cluster.tap
  PATH=$cache/cluster/bin:$PATH /usr/bin/python3 tests/tutorial.py build/stijl build/examples cluster.md \
    >build/cluster-page.tap || true
  grep -q '^1\.\.' build/cluster-page.tap || echo "not ok - the page was run" >>build/cluster-page.tap
  results+=(build/cluster.tap build/cluster-page.tap)
fi

# Each fuzzer for some seconds: that it builds, starts, and finds nothing at once.
if part fuzz; then
  step "the fuzzers build" fuzz_build
  if $passed; then
    seconds=${STIJL_FUZZ_SECONDS:-10}
    rm -f build-fuzz/*.status
    # shellcheck disable=SC2016 # for the inner shells
    fuzz_harnesses | patiently "fuzzing" xargs -P "$jobs" -I{} bash -c '. scripts/lib.sh; status=0
      (fuzz "$1" -max_total_time="$2" -artifact_prefix=build-fuzz/) >"build-fuzz/$1.log" 2>&1 || status=$?
      echo "exit $status" >"build-fuzz/$1.status"' fuzz {} "$seconds"
    for name in $(fuzz_harnesses); do
      step "fuzz $name for $seconds s" bash -c 'cat "$1.log"; . "$1.status"' fuzz "build-fuzz/$name"
    done
  fi
fi

# Without --full the ordinary tests ask for less of everything.
if part hostile; then
  echo "hostile files, by the default limits" >&2
  patiently "hostile files" /usr/bin/python3 tests/golden/hostile.py build/stijl --full >build/hostile.tap || true
  grep -q '^1\.\.' build/hostile.tap || echo "not ok - all hostile files were tried" >>build/hostile.tap
  results+=(build/hostile.tap)
  patiently "attacks" /usr/bin/python3 tests/golden/attacks.py build/stijl --full >build/attacks.tap || true
  grep -q '^1\.\.' build/attacks.tap || echo "not ok - all attacks were tried" >>build/attacks.tap
  results+=(build/attacks.tap)
fi

if part kills; then
  patiently "killed batches" /usr/bin/python3 tests/golden/batch.py build/stijl --full >build/batch.tap || true
  grep -q '^1\.\.' build/batch.tap || echo "not ok - all batches were killed" >>build/batch.tap
  patiently "killed pyramids" /usr/bin/python3 tests/golden/tiles.py build/stijl --full >build/tiles.tap || true
  grep -q '^1\.\.' build/tiles.tap || echo "not ok - all pyramids were killed" >>build/tiles.tap
  results+=(build/batch.tap build/tiles.tap)
fi

# The suite as PDF, drawn by two other renderers, and as plain SVG.
if part pdf; then
  need poppler-utils have pdftocairo
  need mupdf-tools have mutool
  install_needed
  patiently "the suite as PDF" /usr/bin/python3 tests/golden/pdf_suite.py build/stijl >build/pdf.tap || true
  grep -q '^1\.\.' build/pdf.tap || echo "not ok - all documents were compared" >>build/pdf.tap
  results+=(build/pdf.tap)
fi

if part install; then
  need cmake have cmake
  install_needed
  step "installs, and the examples build against it" patiently "the installation" scripts/test-install.sh build
fi

# As a user meets it: the two commands of README where nothing is installed.
if part bare; then
  step "README's commands, on a bare Debian 12" patiently "a bare Debian 12" scripts/test-bare.sh
fi

if part packages; then
  for package in debhelper dh-python dpkg-dev fakeroot libpython3-dev lintian; do need $package dpkg -s $package; done
  install_needed
  step "Debian's packages, in a bare Debian 12" patiently "Debian's packages" scripts/test-packages.sh
fi

if part docs; then
  step "the API reference, without a warning" scripts/api
fi
