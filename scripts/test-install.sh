#!/usr/bin/env bash
# test-install.sh BUILD: installs into a temporary folder, looks whether everything is there, moves the folder, and
# builds and runs the examples against the installed shared and static library, by pkg-config and by CMake.
set -euo pipefail
build=$1
sources=$PWD
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR=$root meson install -C "$build" --no-rebuild --quiet
mv "$root/usr/local" "$root/moved"  # nothing of it may know where it was
prefix=$root/moved
pc=$(find "$root" -name stijl.pc)
libraries=$(dirname "$(dirname "$pc")")
for file in "$prefix"/bin/stijl "$prefix"/include/stijl/stijl.h "$libraries"/libstijl.so.0 "$libraries"/libstijl.a \
  "$libraries"/libstijl-lab.so.0 "$libraries"/libstijl-lab.a \
  "$libraries"/cmake/stijl/stijl-config.cmake "$libraries"/cmake/stijl/stijl-config-version.cmake \
  "$prefix"/share/man/man1/stijl.1 "$prefix"/share/bash-completion/completions/stijl \
  "$prefix"/share/zsh/site-functions/_stijl "$prefix"/share/fish/vendor_completions.d/stijl.fish \
  "$prefix"/share/thumbnailers/stijl.thumbnailer; do
  [ -s "$file" ] || { echo "not installed: ${file#"$root"}"; exit 1; }
done
export LD_LIBRARY_PATH=$libraries
"$prefix"/bin/stijl --version

# As on a machine that has no other library's pkg-config file.
PKG_CONFIG_LIBDIR=$(dirname "$pc")
export PKG_CONFIG_LIBDIR
for example in hello threads svg2png; do
  flags=$(pkg-config --cflags --libs stijl)
  # shellcheck disable=SC2086 # words
  ${CC:-cc} -std=c17 "examples/$example.c" $flags -lm -pthread -o "$root/$example"
  # The static library alone, and what it needs from elsewhere; then that, too, without shared libraries.
  flags=$(pkg-config --cflags --static --libs stijl)
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c17 "examples/$example.c" ${flags/-lstijl/-l:libstijl.a} -o "$root/$example-static"
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c17 -static "examples/$example.c" $flags -o "$root/$example-alone"
done
printf '#include <stdio.h>\n#include <stijl/lab.h>\nint main(void) { return puts(stijl_lab_name(0)) < 0; }\n' \
  >"$root/lab.c"
# shellcheck disable=SC2046
${CC:-cc} -std=c17 "$root/lab.c" $(pkg-config --cflags --libs stijl-lab) -o "$root/lab"
"$root/lab"
if env -u PKG_CONFIG_LIBDIR pkg-config --exists vulkan; then
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c17 examples/vulkan.c $(pkg-config --cflags --libs stijl) -lvulkan -o "$root/vulkan"
fi

# A user's project, with a folder of its own for each kind of link.
cp examples/hello.c "$root/hello.c"
cat >"$root/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(stijl 0.1 REQUIRED)
add_executable(hello-cmake hello.c)
target_link_libraries(hello-cmake PRIVATE stijl::stijl)
add_executable(hello-cmake-static hello.c)
target_link_libraries(hello-cmake-static PRIVATE stijl::static)
add_executable(hello-cmake-alone hello.c)
target_link_libraries(hello-cmake-alone PRIVATE stijl::static -static)
foreach(wanted 0.0.1 0.1.0 0.0.1...0.5)
  find_package(stijl ${wanted} QUIET)
  if(NOT stijl_FOUND)
    message(FATAL_ERROR "stijl ${stijl_VERSION} is not good enough for ${wanted}")
  endif()
endforeach()
foreach(wanted 0.99 1.0 0.99...1.5)
  find_package(stijl ${wanted} QUIET)
  if(stijl_FOUND)
    message(FATAL_ERROR "stijl ${stijl_VERSION} is taken for ${wanted}")
  endif()
endforeach()
END
cmake_examples=()
if command -v cmake >/dev/null; then
  cmake -S "$root" -B "$root" -DCMAKE_PREFIX_PATH="$prefix" >"$root/log" 2>&1 &&
    cmake --build "$root" >>"$root/log" 2>&1 || { cat "$root/log"; exit 1; }
  cmake_examples=(hello-cmake hello-cmake-static hello-cmake-alone)
else
  echo "note: no cmake, so find_package was not tried"
fi

icon=$PWD/bench/icon.svg words=$PWD/docs/specimen.svg
cd "$root"
for name in hello hello-static hello-alone "${cmake_examples[@]}" threads threads-static threads-alone; do
  ./$name $name.png
  cmp ${name%%-*}.png $name.png
done
for name in svg2png svg2png-static svg2png-alone; do
  ./$name "$icon" $name.png
  cmp svg2png.png $name.png
done
# Such a program opens no library, and says so.
! readelf -l svg2png-alone | grep -q INTERP || { echo "svg2png-alone is not static"; exit 1; }
./svg2png-alone "$words" words.png 2>said || true
grep -qF 'a static program cannot open the library libharfbuzz' said || { cat said; exit 1; }

# The commands of the tutorial's pages about programs, as they stand there, where the programs are. (tests/tutorial.py
# runs those of the others.)
cp "$sources"/examples/*.c .
everywhere=$(env -u PKG_CONFIG_LIBDIR pkg-config --variable=pc_path pkg-config)
export PKG_CONFIG_LIBDIR=$PKG_CONFIG_LIBDIR:$everywhere
for page in "$sources"/docs/tutorial/*.md; do
  grep -q '^```c$' "$page" || continue
  status=0
  sed -n '/^```sh$/,/^```$/{/^```/d;p}' "$page" >page.sh
  sh -e page.sh >said 2>&1 || status=$?
  # 77: no Vulkan device.
  [ $status = 0 ] || [ $status = 77 ] || { cat said; echo "the commands of ${page##*/} fail"; exit 1; }
done
