#!/usr/bin/env bash
# test-install.sh BUILD: installs into a temporary folder, looks whether everything is there, and builds and runs the
# examples against the installed shared and static library through pkg-config.
set -euo pipefail
build=$1
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR=$root meson install -C "$build" --no-rebuild --quiet
prefix=$root/usr/local
pc=$(find "$root" -name stijl.pc)
libraries=$(dirname "$(dirname "$pc")")
for file in "$prefix"/bin/stijl "$prefix"/include/stijl/stijl.h "$libraries"/libstijl.so.0 "$libraries"/libstijl.a \
  "$prefix"/share/man/man1/stijl.1 "$prefix"/share/bash-completion/completions/stijl \
  "$prefix"/share/zsh/site-functions/_stijl "$prefix"/share/fish/vendor_completions.d/stijl.fish; do
  [ -s "$file" ] || { echo "not installed: ${file#"$root"}"; exit 1; }
done
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR=$root
export LD_LIBRARY_PATH=$libraries
"$prefix"/bin/stijl --version
for example in hello threads svg2png; do
  flags=$(pkg-config --cflags --libs stijl)
  # shellcheck disable=SC2086 # words
  ${CC:-cc} -std=c17 "examples/$example.c" $flags -lm -pthread -o "$root/$example"
  # The static library alone, and what it needs from elsewhere.
  flags=$(pkg-config --cflags --static --libs stijl | sed "s|-lstijl|$libraries/libstijl.a|")
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c17 "examples/$example.c" $flags -lm -pthread -o "$root/$example-static"
done
if pkg-config --exists vulkan; then
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c17 examples/vulkan.c $(pkg-config --cflags --libs stijl) $(PKG_CONFIG_SYSROOT_DIR='' pkg-config --libs vulkan) \
    -o "$root/vulkan"
fi
cd "$root"
for name in hello hello-static threads threads-static; do
  ./$name $name.png
  [ -s $name.png ]
done
cmp hello.png hello-static.png
symbols=$(nm -D --defined-only "$libraries"/libstijl.so.0 | awk '{print $3}' | grep -v '^stijl_' || true)
[ -z "$symbols" ] || { echo "exported beyond stijl_*: $symbols"; exit 1; }
